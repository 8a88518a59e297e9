// A player for scripts/duel.py: the search of a commit, compiled with the sources of that commit. Without a network
// file it evaluates by hand-crafted terms.
//     duel_player NETWORK_FILE DRAWN_COUNTS_FOR_BOTH BOARDS_BREAK_TIES NODES [CPU_SECONDS [THREADS]]
// It reads lines and answers each with a move: the moves of a game so far, as numbers, after their count. A count of -1
// begins a new game, without an answer.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "search/engine.hpp"

using namespace ninefold;

// The weights are the end of the file; the line before them is JSON, with the value of a logit.
static std::unique_ptr<NetworkEval> read_network(const char* path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return nullptr;
    std::string data((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    size_t size = NetworkEval::WEIGHTS * sizeof(int16_t), scale = data.find("\"scale\": ");
    if (data.size() < size || scale == std::string::npos) std::exit(1);
    std::vector<int16_t> weights(NetworkEval::WEIGHTS);
    std::memcpy(weights.data(), data.data() + data.size() - size, size);
    return std::make_unique<NetworkEval>(weights.data(), std::atoi(data.c_str() + scale + 9));
}

int main(int count, char** argument) {
    if (count < 5) return 1;
    const std::unique_ptr<NetworkEval> network = read_network(argument[1]);
    const Rules rules{argument[2][0] == '1', argument[3][0] == '1'};
    SearchLimits limits;
    limits.nodes = std::strtoull(argument[4], nullptr, 10);
    limits.cpu_seconds = count > 5 ? std::atof(argument[5]) : 0;
    Engine engine(size_t{32} << 20, count > 6 ? std::atoi(argument[6]) : 1);
    for (int moves; std::scanf("%d", &moves) == 1;) {
        if (moves < 0) {
            engine.clear();
            continue;
        }
        Position position{};
        position.board = ANY_BOARD;
        for (int i = 0, move; i < moves && std::scanf("%d", &move) == 1; ++i) position.play(move / 9, move % 9);
        SearchInfo info =
            engine.search(position, rules, limits, 1, network.get(), [](const SearchInfo&) { return true; });
        std::printf("%d\n", info.root_moves.lines[0].move);
        std::fflush(stdout);
    }
}
