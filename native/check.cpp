// What the sanitizers look at: every part of the core on random positions, and a million random games.
//     make sanitize
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "engine.hpp"
#include "perft.hpp"
#include "table_batch.hpp"

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

// The value of a position where the side to move is sent to a board, from all of its boards anew.
static int value_when_sent(const ByHand& evaluate, const Position& position, Rules rules) {
    ByHand::Node node = evaluate.node(position, rules);
    int board = position.board;
    Chances there = node.chances[node.state[board]].by[1 + position.turn];
    float gain = (there.x - node.x[board]) * node.rest_x[board] - (there.o - node.o[board]) * node.rest_o[board];
    float lines = node.lines + ByHand::SENT * gain;
    return static_cast<int>((position.turn ? -lines : lines) * ByHand::SCALE) | 1;
}

static void check_evaluation(const ByHand& evaluate, const Position& position, Rules rules) {
    ByHand::Node node = evaluate.node(position, rules);
    for (int move : moves_of(position)) {
        Position after = position;
        after.play(move / 9, move % 9);
        check(sent_to(position, move / 9, move % 9) == after.board, "a move sends where it leads");
        int child = evaluate.child(node, move / 9, move % 9, after.board);
        check(std::abs(child) < EVAL_LIMIT && child != 0, "a value is within its limits");
        if (after.board != ANY) check(std::abs(value_when_sent(evaluate, after, rules) - child) <= 2, "a child is worth what its position is");
    }
}

// Many games in arrays, and what they come to.
struct Table {
    static constexpr size_t GAMES = 1000;
    std::vector<Position> position = std::vector<Position>(GAMES, start());
    std::vector<int32_t> mask = std::vector<int32_t>(GAMES * MASK_WORDS), ended = std::vector<int32_t>(GAMES), score = ended;
    std::vector<int8_t> reward = std::vector<int8_t>(GAMES);
    std::vector<uint8_t> done = std::vector<uint8_t>(GAMES);

    Table() {
        Legal legal = legal_moves(start());
        for (size_t i = 0; i < GAMES; ++i) std::memcpy(&mask[i * MASK_WORDS], &legal, sizeof legal);
    }

    Games games() { return {reinterpret_cast<int32_t*>(position.data()), mask.data(), reward.data(), done.data()}; }
    States states() { return {games().position, games().mask}; }
    Totals totals() { return {ended.data(), score.data()}; }
};

static void check_batch(Rules rules) {
    BigGame game{rules, 0, true};
    const BatchKernels<BigGame>& batch = kernels().batch;
    Table one, other;
    constexpr unsigned steps = 200;
    for (unsigned step = 0; step < steps; ++step)
        check(batch.random_step(game, one.states(), {1, step, 0}, one.games(), Table::GAMES), "positions of a batch are known to it");
    batch.rollout(game, other.states(), {1, 0, 0}, steps, other.totals(), other.games(), Table::GAMES);
    check(one.mask == other.mask && one.reward == other.reward && one.done == other.done, "a rollout is one step after the other");
    std::vector<uint8_t> planes(Table::GAMES * MOVES * PLANES), legal(Table::GAMES * MOVES);
    std::vector<float> rewards(2 * Table::GAMES);
    std::vector<int8_t> turn(Table::GAMES);
    check(batch.view(game, one.states(), one.reward.data(), {planes.data(), legal.data(), rewards.data(), turn.data()}, Table::GAMES), "a batch can be seen");
    std::vector<int32_t> wild(Table::GAMES, 99);
    batch.step(game, one.states(), wild.data(), one.games(), Table::GAMES);
    check(one.position[0].board == ANY && one.done[0], "what is no move ends a game, and another begins");
}

// A small game of random transitions, in which every move of a random set is legal, and none of the last state.
static TableGame made_up(uint32_t states, uint32_t width, uint32_t planes) {
    uint32_t words = (width + 31) / 32;
    std::vector<int32_t> transitions(states * (width + 1)), masks(states * words);
    for (uint32_t i = 0; i < transitions.size(); ++i) transitions[i] = static_cast<int32_t>(mix(i) % states | 1u << REWARD_BIT | (mix(i) >> 31) << DONE_BIT);
    for (uint32_t state = 0; state + 1 < states; ++state)
        for (uint32_t move = 0; move < width; ++move)
            if (move == state % width || mix(state * width + move) & 1) masks[state * words + move / 32] |= static_cast<int32_t>(1u << move % 32);
    std::vector<uint8_t> seen(states * planes, 1);
    std::vector<int8_t> turn(states, 1);
    return make_table_game(static_cast<int>(states), static_cast<int>(width), transitions.data(), masks.data(), seen.data(), static_cast<int>(planes), turn.data());
}

// Arrays of so many games, and not a byte more: whatever is read or written beyond them is found.
static void check_table(uint32_t width, uint32_t planes, size_t count) {
    TableGame game = made_up(100, width, planes);
    const BatchKernels<TableGame>& batch = table_kernels();
    size_t words = static_cast<size_t>(game.mask_words);
    std::vector<int32_t> position(count), mask(count * words), action(count), ended(count), score(count), end(count), end_mask(count * words);
    std::vector<int8_t> reward(count), end_reward(count), turn(count);
    std::vector<uint8_t> done(count), end_done(count), seen(count * planes), legal(count * width);
    std::vector<float> rewards(2 * count);
    for (size_t i = 0; i < count; ++i) action[i] = static_cast<int32_t>(i) - 5;
    Games games{position.data(), mask.data(), reward.data(), done.data()}, later{end.data(), end_mask.data(), end_reward.data(), end_done.data()};
    States states{position.data(), mask.data()};
    check(batch.step(game, states, action.data(), games, count), "states of a table are known to it");
    check(batch.rollout(game, states, {1, 0, 0}, 60, {ended.data(), score.data()}, later, count), "a table is walked");
    for (unsigned step = 0; step < 60; ++step) {
        batch.random_action(game, states, {1, step, 0}, action.data(), count);
        batch.random_step(game, states, {1, step, 0}, games, count);
    }
    check(position == end && mask == end_mask && done == end_done, "a rollout through a table is one step after the other");
    batch.view(game, states, reward.data(), {seen.data(), legal.data(), rewards.data(), turn.data()}, count);
    for (size_t i = 0; i < count * width; ++i) {
        uint32_t move = static_cast<uint32_t>(i % width), word = static_cast<uint32_t>(mask[i / width * words + move / 32]);
        check(legal[i] == (word >> move % 32 & 1), "the legal moves that are seen are those of the mask");
    }
    check(std::memchr(seen.data(), 0, seen.size()) == nullptr && turn[count - 1] == 1, "all is seen, to the last byte");
    position[count - 1] = 100;
    check(!batch.random_step(game, states, {1, 0, 0}, games, count), "what is no state is found out");
}

int main(int arguments, char** argument) {
    uint64_t games = arguments > 1 ? std::strtoull(argument[1], nullptr, 10) : 1'000'000;
    ByHand evaluate;
    Engine engine(1 << 20, 2);
    for (uint32_t width : {1u, 9u, 32u, 33u, 37u})
        for (uint32_t planes : {1u, 27u, 48u})
            for (size_t count : {1u, 15u, 16u, 17u, 256u, 1000u}) check_table(width, planes, count);
    for (int kind = 0; kind < 4; ++kind) {
        Rules rules{(kind & 1) != 0, (kind & 2) != 0};
        check(kernels().perft(start(), rules, 5) == 473'256, "perft");
        Tally narrow = kernels().playouts(start(), rules, 1, 0, games / 4);
        check(narrow.x + narrow.drawn + narrow.o == games / 4, "every game has a result");
        if (has_avx512()) {
            Tally wide = playouts_avx512(start(), rules, 1, 0, games / 4);
            check(wide.x == narrow.x && wide.drawn == narrow.drawn && wide.plies == narrow.plies, "wide and narrow playouts");
        }
        check_batch(rules);
        for (uint64_t game = 0; game < 2000; ++game) check_evaluation(evaluate, random_position(rules, game, static_cast<int>(game % 60)), rules);
        for (uint64_t game = 0; game < 40; ++game) {
            Position root = random_position(rules, game, static_cast<int>(game * 3 / 2));
            Progress found = engine.search(root, rules, {0, 20'000, 0}, 3, [](const Progress&) { return true; });
            check(found.report.size > 0, "a search finds a move");
        }
    }
    std::printf("%llu games, 8000 evaluations, 160 searches: all hold\n", static_cast<unsigned long long>(games));
}
