// What the sanitizers look at: every part of the core on random positions, and a million random games.
//     make sanitize
#include <cstdio>
#include <cstdlib>

#include "engine.hpp"
#include "perft.hpp"

using namespace ninefold;

static void check(bool holds, const char* what) {
    if (holds) return;
    std::printf("FAILED: %s\n", what);
    std::exit(1);
}

static Position start() {
    Position position{};
    position.board = ANY;
    return position;
}

// A position some plies into a random game, or an earlier one where the game ends before.
static Position random_position(Rules rules, uint64_t game, int plies) {
    Position position = start();
    Stream stream(7, game);
    for (int ply = 0; ply < plies; ++ply) {
        Choice choice = random_move(position, stream);
        Position after = position;
        after.play(choice.board, choice.cell);
        if (after.ended(rules)) break;
        position = after;
    }
    return position;
}

static void check_evaluation(const ByHand& evaluate, const Position& position, Rules rules) {
    ByHand::Node node = evaluate.node(position, rules);
    for (int move : moves_of(position)) {
        Position after = position;
        if (after.play(move / 9, move % 9)) continue;
        int board = move / 9, whole = evaluate.value(evaluate.node(after, rules), after.board);
        int child = evaluate.child(node, board, after.marks[0][board], after.marks[1][board], after.board);
        check(std::abs(whole - child) <= 2, "a child is worth what its position is");
        check(std::abs(whole) < EVAL_LIMIT && whole != 0, "a value is within its limits");
    }
}

int main(int arguments, char** argument) {
    uint64_t games = arguments > 1 ? std::strtoull(argument[1], nullptr, 10) : 1'000'000;
    ByHand evaluate;
    Engine engine(1 << 20, 2);
    for (int kind = 0; kind < 4; ++kind) {
        Rules rules{(kind & 1) != 0, (kind & 2) != 0};
        check(kernels().perft(start(), rules, 5) == 473'256, "perft");
        Tally narrow = kernels().playouts(start(), rules, 1, 0, games / 4);
        check(narrow.x + narrow.drawn + narrow.o == games / 4, "every game has a result");
        if (has_avx512()) {
            Tally wide = playouts_avx512(start(), rules, 1, 0, games / 4);
            check(wide.x == narrow.x && wide.drawn == narrow.drawn && wide.plies == narrow.plies, "wide and narrow playouts");
        }
        for (uint64_t game = 0; game < 2000; ++game) check_evaluation(evaluate, random_position(rules, game, static_cast<int>(game % 60)), rules);
        for (uint64_t game = 0; game < 40; ++game) {
            Position root = random_position(rules, game, static_cast<int>(game * 3 / 2));
            Progress found = engine.search(root, rules, {0, 20'000, 0}, 3, [](const Progress&) { return true; });
            check(found.report.size > 0, "a search finds a move");
        }
    }
    std::printf("%llu games, 8000 evaluations, 160 searches: all hold\n", static_cast<unsigned long long>(games));
}
