// Batches for Python. Its code checks the shapes of arrays with messages for people; they are checked here once more,
// so that nothing is written outside of an array.
#include <nanobind/ndarray.h>

#include "batch/table_kernels.hpp"
#include "bindings/bindings.hpp"
#include "bindings/threads.hpp"
#include "dispatch.hpp"

using namespace ninefold;

namespace {

template <typename T>
using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;
using Ints = Array<int32_t>;
using InputInts = Array<const int32_t>;

constexpr size_t MIN_GAMES_PER_THREAD = 1 << 15;

// How many elements one game takes in each array.
struct GameShape {
    size_t position_words, mask_words, planes, width;

    StateArrays at(StateArrays s, size_t i) const { return {s.position + i * position_words, s.mask + i * mask_words}; }
    StepArrays at(StepArrays s, size_t i) const {
        return {s.position + i * position_words, s.mask + i * mask_words, s.reward + i, s.done + i};
    }
    ViewArrays at(ViewArrays v, size_t i) const {
        return {v.planes + i * planes, v.legal + i * width, v.rewards + 2 * i, v.turn + i};
    }
};

void check_size(size_t size, size_t expected) {
    if (size != expected) refuse("The arrays do not fit each other.");
}

template <typename Game>
class Batch {
public:
    Batch(Game game, const BatchKernels<Game>& kernels, GameShape shape, int threads)
        : game_(std::move(game)), kernels_(kernels), shape_(shape), threads_(threads) {
        if (threads < 1 || threads > 256) refuse("A batch has 1 to 256 threads.");
    }

    void step(InputInts position, InputInts mask, InputInts action, Ints to, Ints to_mask, Array<int8_t> reward,
              Array<bool> done) const {
        size_t count = action.size();
        StateArrays from = input(position, mask, count);
        StepArrays out = output(to, to_mask, reward, done, count);
        run(count, [&](size_t at, size_t n) {
            return kernels_.step(game_, shape_.at(from, at), action.data() + at, shape_.at(out, at), n);
        });
    }

    void random_action(InputInts position, InputInts mask, uint32_t seed, uint32_t counter, uint32_t first,
                       Ints action) const {
        size_t count = action.size();
        StateArrays from = input(position, mask, count);
        run(count, [&](size_t at, size_t n) {
            RandomKey key = random_key(seed, counter, first, at);
            return kernels_.random_action(game_, shape_.at(from, at), key, action.data() + at, n);
        });
    }

    void random_step(InputInts position, InputInts mask, uint32_t seed, uint32_t counter, uint32_t first, Ints to,
                     Ints to_mask, Array<int8_t> reward, Array<bool> done) const {
        size_t count = done.size();
        StateArrays from = input(position, mask, count);
        StepArrays out = output(to, to_mask, reward, done, count);
        run(count, [&](size_t at, size_t n) {
            RandomKey key = random_key(seed, counter, first, at);
            return kernels_.random_step(game_, shape_.at(from, at), key, shape_.at(out, at), n);
        });
    }

    void rollout(InputInts position, InputInts mask, uint32_t seed, uint32_t counter, uint32_t first, int steps,
                 Ints ended, Ints score, Ints to, Ints to_mask, Array<int8_t> reward, Array<bool> done) const {
        size_t count = ended.size();
        if (steps < 1) refuse("A rollout has at least one step.");
        check_size(score.size(), count);
        StateArrays from = input(position, mask, count);
        StepArrays out = output(to, to_mask, reward, done, count);
        run(count, [&](size_t at, size_t n) {
            RandomKey key = random_key(seed, counter, first, at);
            RolloutArrays totals{ended.data() + at, score.data() + at};
            return kernels_.rollout(game_, shape_.at(from, at), key, steps, totals, shape_.at(out, at), n);
        });
    }

    void view(InputInts position, InputInts mask, Array<const int8_t> reward, Array<bool> planes, Array<bool> legal,
              Array<float> rewards, Array<int8_t> turn) const {
        size_t count = reward.size();
        StateArrays from = input(position, mask, count);
        check_size(planes.size(), count * shape_.planes);
        check_size(legal.size(), count * shape_.width);
        check_size(rewards.size(), count * 2);
        check_size(turn.size(), count);
        ViewArrays out{reinterpret_cast<uint8_t*>(planes.data()), reinterpret_cast<uint8_t*>(legal.data()),
                       rewards.data(), turn.data()};
        run(count, [&](size_t at, size_t n) {
            return kernels_.view(game_, shape_.at(from, at), reward.data() + at, shape_.at(out, at), n);
        });
    }

private:
    Game game_;
    BatchKernels<Game> kernels_;
    GameShape shape_;
    int threads_;

    static RandomKey random_key(uint32_t seed, uint32_t counter, uint32_t first, size_t at) {
        return {seed, counter, first + static_cast<uint32_t>(at)};
    }

    StateArrays input(const InputInts& position, const InputInts& mask, size_t count) const {
        check_size(position.size(), count * shape_.position_words);
        check_size(mask.size(), count * shape_.mask_words);
        return {position.data(), mask.data()};
    }

    StepArrays output(const Ints& position, const Ints& mask, const Array<int8_t>& reward, const Array<bool>& done,
                      size_t count) const {
        check_size(position.size(), count * shape_.position_words);
        check_size(mask.size(), count * shape_.mask_words);
        check_size(reward.size(), count);
        check_size(done.size(), count);
        return {position.data(), mask.data(), reward.data(), reinterpret_cast<uint8_t*>(done.data())};
    }

    template <typename Work>
    void run(size_t count, Work work) const {
        bool valid;
        {
            nb::gil_scoped_release release;
            valid = run_in_threads(count, threads_, MIN_GAMES_PER_THREAD, work);
        }
        if (!valid) refuse("These are not positions of this game.");
    }
};

using TableBatch = Batch<TableGame>;
using BigBatch = Batch<BigGame>;

TableBatch make_table_batch(InputInts transitions, InputInts masks, Array<const bool> planes, Array<const int8_t> turn,
                            int threads) {
    size_t states = turn.size();
    if (states == 0 || states > MAX_STATES || transitions.size() % states)
        refuse("A table has one row for every state.");
    size_t width = transitions.size() / states - 1, plane_bytes = planes.size() / states;
    if (width < 1 || width > MAX_TABLE_MOVES) refuse("A table has 1 to 37 moves.");
    check_size(masks.size(), states * ((width + 31) / 32));
    check_size(planes.size(), states * plane_bytes);
    for (size_t i = 0; i < transitions.size(); ++i)
        if ((static_cast<uint32_t>(transitions.data()[i]) & STATE_BITS) >= states)
            refuse("A transition leads to a state that does not exist.");
    TableGame game =
        make_table_game(static_cast<int>(states), static_cast<int>(width), transitions.data(), masks.data(),
                        reinterpret_cast<const uint8_t*>(planes.data()), static_cast<int>(plane_bytes), turn.data());
    return {std::move(game), table_kernels(), {1, (width + 31) / 32, plane_bytes, width}, threads};
}

BigBatch make_big_batch(bool both, bool boards, int first, bool resets, int threads) {
    if (first != 0 && first != 1) refuse("The side that starts is 0 (X) or 1 (O).");
    BigGame game{{both, boards}, static_cast<uint8_t>(first), resets};
    return {game, cpu_kernels().batch, {POSITION_WORDS, MASK_WORDS, MOVE_COUNT * PLANES, MOVE_COUNT}, threads};
}

// Without noconvert an array of another type would be copied, and the result written into the copy.
template <typename Class>
void bind_methods(nb::class_<Class>& binding) {
    auto array = [](const char* name) { return nb::arg(name).noconvert(); };
    binding
        .def("step", &Class::step, array("position"), array("mask"), array("action"), array("to"), array("to_mask"),
             array("reward"), array("done"))
        .def("random_action", &Class::random_action, array("position"), array("mask"), nb::arg("seed"),
             nb::arg("counter"), nb::arg("first"), array("action"))
        .def("random_step", &Class::random_step, array("position"), array("mask"), nb::arg("seed"), nb::arg("counter"),
             nb::arg("first"), array("to"), array("to_mask"), array("reward"), array("done"))
        .def("rollout", &Class::rollout, array("position"), array("mask"), nb::arg("seed"), nb::arg("counter"),
             nb::arg("first"), nb::arg("steps"), array("ended"), array("score"), array("to"), array("to_mask"),
             array("reward"), array("done"))
        .def("view", &Class::view, array("position"), array("mask"), array("reward"), array("planes"), array("legal"),
             array("rewards"), array("turn"));
}

}  // namespace

void bind_batches(nb::module_& m) {
    nb::class_<TableBatch> table(m, "TableBatch");
    table.def_static("of", &make_table_batch, nb::arg("transitions").noconvert(), nb::arg("masks").noconvert(),
                     nb::arg("planes").noconvert(), nb::arg("turn").noconvert(), nb::arg("threads"));
    bind_methods(table);
    nb::class_<BigBatch> big(m, "BigBatch");
    big.def_static("of", &make_big_batch, nb::arg("drawn_counts_for_both"), nb::arg("boards_break_ties"),
                   nb::arg("first"), nb::arg("resets"), nb::arg("threads"));
    bind_methods(big);
}
