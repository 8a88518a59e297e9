// A self-test for the sanitizers: every part of the core on random positions, and a million random games.
//     make sanitize
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "batch/levels.hpp"
#include "batch/table_kernels.hpp"
#include "dispatch.hpp"
#include "movegen.hpp"
#include "search/engine.hpp"

using namespace ninefold;

static void check(bool holds, const char* what) {
    if (holds) return;
    std::printf("FAILED: %s\n", what);
    std::exit(1);
}

static Position start() {
    Position position{};
    position.board = ANY_BOARD;
    return position;
}

// A network with random weights, as large as training allows them to be.
static NetworkEval random_network() {
    std::vector<int16_t> weights(NetworkEval::WEIGHTS);
    RandomStream stream(11, 0);
    for (int16_t& weight : weights) weight = static_cast<int16_t>(static_cast<int>(stream.next() % 255) - 127);
    return NetworkEval(weights.data(), 900);
}

// A position some plies into a random game, or an earlier one if the game ends before.
static Position random_position(Rules rules, uint64_t game, int plies) {
    Position position = start();
    RandomStream stream(7, game);
    for (int ply = 0; ply < plies; ++ply) {
        BoardAndCell move = random_move(position, stream);
        Position after = position;
        after.play(move.board, move.cell);
        if (after.ended(rules)) break;
        position = after;
    }
    return position;
}

// The static eval of a position whose side to move is sent to a board, computed from scratch.
static int eval_from_scratch(const HandCraftedEval& eval, const Position& position, Rules rules) {
    HandCraftedEval::Node node = eval.prepare(position, rules);
    int board = position.board;
    Chances there = node.chances[node.board_index[board]].by_mover[1 + position.turn];
    float gain = (there.x - node.x[board]) * node.rest_x[board] - (there.o - node.o[board]) * node.rest_o[board];
    float lines = node.lines + HandCraftedEval::SENT_TEMPO * gain;
    return static_cast<int>((position.turn ? -lines : lines) * LINE_VALUE) | 1;
}

static void check_evaluation(const HandCraftedEval& eval, const Position& position, Rules rules) {
    HandCraftedEval::Node node = eval.prepare(position, rules);
    for (int move : generate_moves(position)) {
        Position after = position;
        after.play(move / 9, move % 9);
        check(next_board(position, move / 9, move % 9) == after.board, "next_board is the board after the move");
        int child = eval.evaluate_child(node, move / 9, move % 9, after.board);
        check(std::abs(child) < EVAL_LIMIT && child != 0, "a static eval is within its limits");
        if (after.board != ANY_BOARD)
            check(std::abs(eval_from_scratch(eval, after, rules) - child) <= 2, "a child has the eval of its position");
    }
}

// The boards of the children are chosen from the last to the first and back: no choice depends on the one before.
static void check_network(const NetworkEval& network, const Position& position, Rules rules) {
    NetworkEval::Node node = network.prepare(position, rules);
    const MoveList moves = generate_moves(position);
    for (int i = 1 - moves.size; i < moves.size; ++i) {
        const int move = moves.moves[std::abs(i)];
        Position after = position;
        after.play(move / 9, move % 9);
        network.choose_board(node, move / 9);
        check(network.evaluate_child(node, move / 9, move % 9, after.board) == network.evaluate(after),
              "a child has the value of its position");
    }
    for (int move = 0; move <= MOVE_COUNT; ++move)
        check(is_legal(position, move) == (std::find(moves.begin(), moves.end(), move) != moves.end()),
              "a move is legal if it is generated");
}

// The arrays of many games of squared or ultimate.
struct BigArrays {
    static constexpr size_t GAMES = 1000;
    std::vector<int32_t> position = std::vector<int32_t>(GAMES * POSITION_WORDS);
    std::vector<int32_t> mask = std::vector<int32_t>(GAMES * MASK_WORDS);
    std::vector<int32_t> ended = std::vector<int32_t>(GAMES), score = ended;
    std::vector<int8_t> reward = std::vector<int8_t>(GAMES);
    std::vector<uint8_t> done = std::vector<uint8_t>(GAMES);

    BigArrays() {
        Position first = start();
        LegalMask legal = legal_mask(first);
        for (size_t i = 0; i < GAMES; ++i) {
            std::memcpy(&position[i * POSITION_WORDS], &first, sizeof first);
            std::memcpy(&mask[i * MASK_WORDS], &legal, sizeof legal);
        }
    }

    StepArrays out() { return {position.data(), mask.data(), reward.data(), done.data()}; }
    StateArrays states() const { return {position.data(), mask.data()}; }
    RolloutArrays totals() { return {ended.data(), score.data()}; }

    Position at(size_t i) const {
        Position found;
        std::memcpy(&found, &position[i * POSITION_WORDS], sizeof found);
        return found;
    }
};

static void check_batch(Rules rules) {
    constexpr size_t games = BigArrays::GAMES;
    constexpr unsigned steps = 200;
    BigGame game{rules, 0, true};
    const BatchKernels<BigGame>& batch = cpu_kernels().batch;
    BigArrays one, other;
    for (unsigned step = 0; step < steps; ++step)
        check(batch.random_step(game, one.states(), {1, step, 0}, one.out(), games), "positions of a batch are valid");
    batch.rollout(game, other.states(), {1, 0, 0}, steps, other.totals(), other.out(), games);
    check(one.mask == other.mask && one.reward == other.reward && one.done == other.done, "a rollout is many steps");
    std::vector<uint8_t> planes(games * MOVE_COUNT * PLANES), legal(games * MOVE_COUNT);
    std::vector<float> rewards(2 * games);
    std::vector<int8_t> turn(games);
    ViewArrays view{planes.data(), legal.data(), rewards.data(), turn.data()};
    check(batch.view(game, one.states(), one.reward.data(), view, games), "a batch can be viewed");
    std::vector<int32_t> chosen(64);
    const Level level{rules, 500, MOVE_COUNT, 2500, nullptr};
    check(choose_moves(level, one.states(), {1, 2, 3}, chosen.data(), chosen.size()), "a level can play a batch");
    for (size_t i = 0; i < chosen.size(); ++i) check(legal[i * MOVE_COUNT + static_cast<size_t>(chosen[i])], "legally");
    std::vector<int32_t> illegal(games, 99);
    batch.step(game, one.states(), illegal.data(), one.out(), games);
    check(one.at(0).board == ANY_BOARD && one.done[0], "an illegal action ends a game, and the next one begins");
}

// A small game of random transitions and random legal moves; its last state has no legal moves.
static TableGame random_table(uint32_t states, uint32_t width, uint32_t planes) {
    uint32_t words = (width + 31) / 32;
    std::vector<int32_t> transitions(states * (width + 1)), masks(states * words);
    for (uint32_t i = 0; i < transitions.size(); ++i)
        transitions[i] =
            static_cast<int32_t>(mix_bits(i) % states | 1u << REWARD_BIT | (mix_bits(i) >> 31) << DONE_BIT);
    for (uint32_t state = 0; state + 1 < states; ++state)
        for (uint32_t move = 0; move < width; ++move)
            if (move == state % width || mix_bits(state * width + move) & 1)
                masks[state * words + move / 32] |= static_cast<int32_t>(1u << move % 32);
    std::vector<uint8_t> ones(states * planes, 1);
    std::vector<int8_t> turn(states, 1);
    return make_table_game(static_cast<int>(states), static_cast<int>(width), transitions.data(), masks.data(),
                           ones.data(), static_cast<int>(planes), turn.data());
}

// The arrays hold this number of games and not a byte more, so that AddressSanitizer finds any access beyond them.
static void check_table(uint32_t width, uint32_t planes, size_t count) {
    TableGame game = random_table(100, width, planes);
    const BatchKernels<TableGame>& batch = table_kernels();
    size_t words = static_cast<size_t>(game.mask_words);
    std::vector<int32_t> position(count), mask(count * words), action(count), ended(count), score(count);
    std::vector<int32_t> end(count), end_mask(count * words);
    std::vector<int8_t> reward(count), end_reward(count), turn(count);
    std::vector<uint8_t> done(count), end_done(count), observation(count * planes), legal(count * width);
    std::vector<float> rewards(2 * count);
    for (size_t i = 0; i < count; ++i) action[i] = static_cast<int32_t>(i) - 5;
    StateArrays states{position.data(), mask.data()};
    StepArrays out{position.data(), mask.data(), reward.data(), done.data()};
    StepArrays end_out{end.data(), end_mask.data(), end_reward.data(), end_done.data()};
    check(batch.step(game, states, action.data(), out, count), "states of a table are valid");
    check(batch.rollout(game, states, {1, 0, 0}, 60, {ended.data(), score.data()}, end_out, count), "a table rollout");
    for (unsigned step = 0; step < 60; ++step) {
        batch.random_action(game, states, {1, step, 0}, action.data(), count);
        batch.random_step(game, states, {1, step, 0}, out, count);
    }
    check(position == end && mask == end_mask && done == end_done, "a table rollout is many steps");
    batch.view(game, states, reward.data(), {observation.data(), legal.data(), rewards.data(), turn.data()}, count);
    for (size_t i = 0; i < count * width; ++i) {
        auto move = static_cast<uint32_t>(i % width), word = static_cast<uint32_t>(mask[i / width * words + move / 32]);
        check(legal[i] == (word >> move % 32 & 1), "the legal moves of a view are those of the mask");
    }
    bool filled = std::memchr(observation.data(), 0, observation.size()) == nullptr;
    check(filled && turn[count - 1] == 1, "a view is written to the last byte");
    position[count - 1] = 100;
    check(!batch.random_step(game, states, {1, 0, 0}, out, count), "an impossible state is found");
}

// Every simulation visits one root move, also where the tree has just been given all the memory that it may take.
static void check_mcts(const Position& root, Rules rules, uint64_t simulations) {
    MctsSearch search{root, rules, 1, 2.0f, MctsTree(simulations)};
    cpu_kernels().simulate(search, 0, simulations);
    const MctsNode &node = search.tree.root(), *children = search.tree.children(node);
    uint64_t visits = 0;
    for (int i = 0; i < node.tried; ++i) visits += children[i].visits;
    check(visits == simulations && node.visits == simulations, "every simulation visits a root move");
}

int main(int arguments, char** argument) {
    uint64_t games = arguments > 1 ? std::strtoull(argument[1], nullptr, 10) : 1'000'000;
    HandCraftedEval eval;
    const NetworkEval network = random_network();
    Engine engine(1 << 20, 2);
    for (uint32_t width : {1u, 9u, 32u, 33u, 37u})
        for (uint32_t planes : {1u, 27u, 48u})
            for (size_t count : {1u, 15u, 16u, 17u, 256u, 1000u}) check_table(width, planes, count);
    for (int kind = 0; kind < 4; ++kind) {
        Rules rules{(kind & 1) != 0, (kind & 2) != 0};
        check(cpu_kernels().perft(start(), rules, 5) == 473'256, "perft");
        PlayoutCounts scalar = cpu_kernels().playouts(start(), rules, 1, 0, games / 4);
        check(scalar.x + scalar.drawn + scalar.o == games / 4, "every game has a result");
        if (has_avx512()) {
            PlayoutCounts wide = playouts_avx512(start(), rules, 1, 0, games / 4);
            check(wide.x == scalar.x && wide.drawn == scalar.drawn && wide.plies == scalar.plies, "AVX-512 playouts");
        }
        check_batch(rules);
        for (uint64_t game = 0; game < 2000; ++game) {
            const Position position = random_position(rules, game, static_cast<int>(game % 60));
            check_evaluation(eval, position, rules);
            check_network(network, position, rules);
        }
        for (uint64_t game = 0; game < 40; ++game) {
            Position root = random_position(rules, game, static_cast<int>(game * 3 / 2));
            for (const NetworkEval* evaluation : {static_cast<const NetworkEval*>(nullptr), &network}) {
                SearchInfo info =
                    engine.search(root, rules, {0, 20'000, 0}, 3, evaluation, [](const SearchInfo&) { return true; });
                check(info.root_moves.size > 0, "a search finds a move");
            }
            SearchInfo timed = engine.search(root, rules, {0, 0, 0, 0, {0.02, 0, true}}, 1, &network,
                                             [](const SearchInfo&) { return true; });
            check(timed.root_moves.size > 0 && timed.cpu_seconds > 0, "a search on a clock finds a move");
            for (uint64_t simulations : {1, 3, 28, 82, 3000}) check_mcts(root, rules, simulations);
        }
    }
    std::printf("%llu games, 8000 evaluations, 480 searches, 800 tree searches: passed\n",
                static_cast<unsigned long long>(games));
}
