// A player for scripts/duel.py: the search of a commit, compiled with the sources of that commit. Without a network
// file it evaluates by hand-crafted terms.
//     duel_player NETWORK_FILE DRAWN_COUNTS_FOR_BOTH BOARDS_BREAK_TIES NODES [CPU_SECONDS [THREADS [CLOCK INCREMENT]]]
// It reads lines and answers each with a move: the moves of a game so far, as numbers, after their count. A count of -1
// begins a new game, without an answer. A clock counts CPU time for a whole game; a player that exceeds it answers -1.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
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

static double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Commits without time management had a fixed share of the clock for every move.
static void set_clock(SearchLimits& limits, double left, double increment) {
#if __has_include("search/time_manager.hpp")
    limits.clock = {left, increment, true};
#else
    limits.cpu_seconds = std::max(std::min(left / 20 + 0.8 * increment, left - 0.002), 0.0001);
#endif
}

int main(int count, char** argument) {
    if (count < 5) return 1;
    const std::unique_ptr<NetworkEval> network = read_network(argument[1]);
    const Rules rules{argument[2][0] == '1', argument[3][0] == '1'};
    SearchLimits limits;
    limits.nodes = std::strtoull(argument[4], nullptr, 10);
    limits.cpu_seconds = count > 5 ? std::atof(argument[5]) : 0;
    Engine engine(size_t{32} << 20, count > 6 ? std::atoi(argument[6]) : 1);
    const double clock = count > 8 ? std::atof(argument[7]) : 0, increment = count > 8 ? std::atof(argument[8]) : 0;
    double left = clock;
    for (int moves; std::scanf("%d", &moves) == 1;) {
        if (moves < 0) {
            engine.clear();
            left = clock;
            continue;
        }
        Position position{};
        position.board = ANY_BOARD;
        for (int i = 0, move; i < moves && std::scanf("%d", &move) == 1; ++i) position.play(move / 9, move % 9);
        if (clock > 0) set_clock(limits, left, increment);
        const double started = cpu_seconds();
        SearchInfo info =
            engine.search(position, rules, limits, 1, network.get(), [](const SearchInfo&) { return true; });
        left -= cpu_seconds() - started;
        const bool flag_falls = clock > 0 && left < 0;
        left += increment;
        std::printf("%d\n", flag_falls ? -1 : info.root_moves.lines[0].move);
        std::fflush(stdout);
    }
}
