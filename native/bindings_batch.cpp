// Arrays of games from Python. The shapes are checked there with words for people; here once more, so that nothing can be
// written where no array is.
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "bindings.hpp"
#include "kernels.hpp"
#include "table_batch.hpp"

using namespace ninefold;

namespace {

template <typename T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;
using Ints = Array<int32_t>;
using GivenInts = Array<const int32_t>;

constexpr size_t LEAST_FOR_A_THREAD = 1 << 15;

// What a game takes in the arrays.
struct Shape {
    size_t position_words, mask_words, planes, width;

    States at(States s, size_t i) const { return {s.position + i * position_words, s.mask + i * mask_words}; }
    Games at(Games g, size_t i) const { return {g.position + i * position_words, g.mask + i * mask_words, g.reward + i, g.done + i}; }
    Views at(Views v, size_t i) const { return {v.planes + i * planes, v.legal + i * width, v.rewards + 2 * i, v.turn + i}; }
};

void check_size(size_t size, size_t wanted) {
    if (size != wanted) refuse("The arrays do not fit each other.");
}

// Calls ``work`` with the beginning and the number of games of every share, in threads of their own where that pays.
template <typename Work>
bool share(size_t count, int threads, Work work) {
    size_t shares = std::clamp<size_t>(count / LEAST_FOR_A_THREAD, 1, static_cast<size_t>(threads));
    std::atomic<bool> all{true};
    auto part = [&](size_t n) {
        size_t begin = count * n / shares;
        if (!work(begin, count * (n + 1) / shares - begin)) all = false;
    };
    std::vector<std::thread> helpers;
    for (size_t n = 1; n < shares; ++n) helpers.emplace_back(part, n);
    part(0);
    for (std::thread& helper : helpers) helper.join();
    return all;
}

template <typename Game>
class Batch {
public:
    Batch(Game game, const BatchKernels<Game>& kernels, Shape shape, int threads) : game_(std::move(game)), run_(kernels), shape_(shape), threads_(threads) {
        if (threads < 1 || threads > 256) refuse("A batch has 1 to 256 threads.");
    }

    void step(GivenInts position, GivenInts mask, GivenInts action, Ints to, Ints to_mask, Array<int8_t> reward, Array<bool> done) const {
        size_t count = action.size();
        States from = states(position, mask, count);
        Games out = games(to, to_mask, reward, done, count);
        go(count, [&](size_t at, size_t n) { return run_.step(game_, shape_.at(from, at), action.data() + at, shape_.at(out, at), n); });
    }

    void random_action(GivenInts position, GivenInts mask, uint32_t seed, uint32_t counter, uint32_t first, Ints action) const {
        size_t count = action.size();
        States from = states(position, mask, count);
        go(count, [&](size_t at, size_t n) { return run_.random_action(game_, shape_.at(from, at), draw(seed, counter, first, at), action.data() + at, n); });
    }

    void random_step(GivenInts position, GivenInts mask, uint32_t seed, uint32_t counter, uint32_t first, Ints to, Ints to_mask,
                     Array<int8_t> reward, Array<bool> done) const {
        size_t count = done.size();
        States from = states(position, mask, count);
        Games out = games(to, to_mask, reward, done, count);
        go(count, [&](size_t at, size_t n) {
            return run_.random_step(game_, shape_.at(from, at), draw(seed, counter, first, at), shape_.at(out, at), n);
        });
    }

    void rollout(GivenInts position, GivenInts mask, uint32_t seed, uint32_t counter, uint32_t first, int steps, Ints ended, Ints score, Ints to,
                 Ints to_mask, Array<int8_t> reward, Array<bool> done) const {
        size_t count = ended.size();
        if (steps < 1) refuse("A rollout has at least one step.");
        check_size(score.size(), count);
        States from = states(position, mask, count);
        Games out = games(to, to_mask, reward, done, count);
        go(count, [&](size_t at, size_t n) {
            Totals totals{ended.data() + at, score.data() + at};
            return run_.rollout(game_, shape_.at(from, at), draw(seed, counter, first, at), steps, totals, shape_.at(out, at), n);
        });
    }

    void view(GivenInts position, GivenInts mask, Array<const int8_t> reward, Array<bool> planes, Array<bool> legal, Array<float> rewards,
              Array<int8_t> turn) const {
        size_t count = reward.size();
        States from = states(position, mask, count);
        check_size(planes.size(), count * shape_.planes);
        check_size(legal.size(), count * shape_.width);
        check_size(rewards.size(), count * 2);
        check_size(turn.size(), count);
        Views out{reinterpret_cast<uint8_t*>(planes.data()), reinterpret_cast<uint8_t*>(legal.data()), rewards.data(), turn.data()};
        go(count, [&](size_t at, size_t n) { return run_.view(game_, shape_.at(from, at), reward.data() + at, shape_.at(out, at), n); });
    }

private:
    Game game_;
    BatchKernels<Game> run_;
    Shape shape_;
    int threads_;

    static Draw draw(uint32_t seed, uint32_t counter, uint32_t first, size_t at) { return {seed, counter, first + static_cast<uint32_t>(at)}; }

    States states(const GivenInts& position, const GivenInts& mask, size_t count) const {
        check_size(position.size(), count * shape_.position_words);
        check_size(mask.size(), count * shape_.mask_words);
        return {position.data(), mask.data()};
    }

    Games games(const Ints& position, const Ints& mask, const Array<int8_t>& reward, const Array<bool>& done, size_t count) const {
        check_size(position.size(), count * shape_.position_words);
        check_size(mask.size(), count * shape_.mask_words);
        check_size(reward.size(), count);
        check_size(done.size(), count);
        return {position.data(), mask.data(), reward.data(), reinterpret_cast<uint8_t*>(done.data())};
    }

    template <typename Work>
    void go(size_t count, Work work) const {
        bool known;
        {
            nb::gil_scoped_release release;
            known = share(count, threads_, work);
        }
        if (!known) refuse("These are not positions of this game.");
    }
};

using TableBatch = Batch<TableGame>;
using BigBatch = Batch<BigGame>;

TableBatch table_batch(GivenInts transitions, GivenInts masks, Array<const bool> planes, Array<const int8_t> turn, int threads) {
    size_t states = turn.size();
    if (states == 0 || states > MOST_STATES || transitions.size() % states) refuse("A table has its rows for every state.");
    size_t width = transitions.size() / states - 1, plane_bytes = planes.size() / states;
    if (width < 1 || width > MOST_MOVES) refuse("A table has one to thirty-seven moves.");
    check_size(masks.size(), states * ((width + 31) / 32));
    check_size(planes.size(), states * plane_bytes);
    for (size_t i = 0; i < transitions.size(); ++i)
        if ((static_cast<uint32_t>(transitions.data()[i]) & STATE_BITS) >= states) refuse("A transition leads to no state.");
    TableGame game = make_table_game(static_cast<int>(states), static_cast<int>(width), transitions.data(), masks.data(),
                                     reinterpret_cast<const uint8_t*>(planes.data()), static_cast<int>(plane_bytes), turn.data());
    return {std::move(game), table_kernels(), {1, (width + 31) / 32, plane_bytes, width}, threads};
}

BigBatch big_batch(bool both, bool boards, int first, bool resets, int threads) {
    if (first != 0 && first != 1) refuse("The side that starts is 0 (X) or 1 (O).");
    BigGame game{{both, boards}, static_cast<uint8_t>(first), resets};
    return {game, kernels().batch, {sizeof(Position) / sizeof(int32_t), MASK_WORDS, MOVES * PLANES, MOVES}, threads};
}

// An array that does not fit would be converted into a copy, and the copy written to.
template <typename Class>
void bind_methods(nb::class_<Class>& kind) {
    auto same = [](const char* name) { return nb::arg(name).noconvert(); };
    kind.def("step", &Class::step, same("position"), same("mask"), same("action"), same("to"), same("to_mask"), same("reward"), same("done"))
        .def("random_action", &Class::random_action, same("position"), same("mask"), nb::arg("seed"), nb::arg("counter"), nb::arg("first"), same("action"))
        .def("random_step", &Class::random_step, same("position"), same("mask"), nb::arg("seed"), nb::arg("counter"), nb::arg("first"), same("to"),
             same("to_mask"), same("reward"), same("done"))
        .def("rollout", &Class::rollout, same("position"), same("mask"), nb::arg("seed"), nb::arg("counter"), nb::arg("first"), nb::arg("steps"),
             same("ended"), same("score"), same("to"), same("to_mask"), same("reward"), same("done"))
        .def("view", &Class::view, same("position"), same("mask"), same("reward"), same("planes"), same("legal"), same("rewards"), same("turn"));
}

}  // namespace

void bind_batches(nb::module_& m) {
    nb::class_<TableBatch> table(m, "TableBatch");
    table.def_static("of", &table_batch, nb::arg("transitions").noconvert(), nb::arg("masks").noconvert(), nb::arg("planes").noconvert(),
                     nb::arg("turn").noconvert(), nb::arg("threads"));
    bind_methods(table);
    nb::class_<BigBatch> big(m, "BigBatch");
    big.def_static("of", &big_batch, nb::arg("drawn_counts_for_both"), nb::arg("boards_break_ties"), nb::arg("first"), nb::arg("resets"), nb::arg("threads"));
    bind_methods(big);
}
