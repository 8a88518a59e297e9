// The levels in many games for Python.
#include <nanobind/ndarray.h>

#include "batch/big_game.hpp"
#include "batch/levels.hpp"
#include "bindings/network.hpp"
#include "bindings/single_game.hpp"
#include "bindings/threads.hpp"

using namespace ninefold;

namespace {

using Ints = nb::ndarray<int32_t, nb::c_contig, nb::device::cpu>;
using InputInts = nb::ndarray<const int32_t, nb::c_contig, nb::device::cpu>;

class LevelBatch {
public:
    LevelBatch(bool both, bool boards, uint64_t nodes, int lines, double noise, const Network* network, int threads)
        : level_{{both, boards}, nodes, lines, noise, network ? network->eval() : nullptr}, threads_(threads) {
        if (threads < 1 || threads > 256) refuse("A batch has 1 to 256 threads.");
        if (nodes < 1) refuse("A level searches at least one node.");
        if (lines < 1 || lines > MOVE_COUNT) refuse("The number of ranked moves is 1 to 81.");
        if (!(noise >= 0 && noise <= 1e6)) refuse("The error of a score is 0 to 1,000,000.");
    }

    void choose(InputInts position, InputInts mask, uint32_t seed, uint32_t counter, uint32_t first,
                Ints action) const {
        const size_t count = action.size();
        if (position.size() != count * POSITION_WORDS || mask.size() != count * MASK_WORDS)
            refuse("The arrays do not fit each other.");
        // About a tenth of a second of search, and then Ctrl-C is handled.
        const size_t chunk = static_cast<size_t>(threads_) * (1 + (size_t{1} << 20) / level_.nodes);
        for (size_t done = 0; done < count; done += chunk) {
            bool valid;
            {
                nb::gil_scoped_release release;
                valid = run_in_threads(std::min(chunk, count - done), threads_, 1, [&](size_t at, size_t n) {
                    at += done;
                    StateArrays from{position.data() + at * POSITION_WORDS, mask.data() + at * MASK_WORDS};
                    RandomKey key{seed, counter, first + static_cast<uint32_t>(at)};
                    return choose_moves(level_, from, key, action.data() + at, n);
                });
            }
            if (!valid) refuse("These are not positions of this game.");
            if (PyErr_CheckSignals()) throw nb::python_error();
        }
    }

    // The move in a game that has not ended: that of a batch of one.
    int choose_one(const SingleGame& game, uint32_t seed, uint32_t counter) const {
        const Position& position = game.position();
        if (!is_searchable(position, level_.rules)) refuse("The game has ended.");
        nb::gil_scoped_release release;
        return LevelSearch(level_).choose(position, random_bits(counter_key(seed, counter), 0));
    }

private:
    Level level_;
    int threads_;
};

}  // namespace

void bind_levels(nb::module_& m) {
    nb::class_<LevelBatch>(m, "LevelBatch")
        .def(nb::init<bool, bool, uint64_t, int, double, const Network*, int>(), nb::arg("drawn_counts_for_both"),
             nb::arg("boards_break_ties"), nb::arg("nodes"), nb::arg("lines"), nb::arg("noise"),
             nb::arg("network").none(), nb::arg("threads"), nb::keep_alive<1, 7>())
        .def("choose", &LevelBatch::choose, nb::arg("position").noconvert(), nb::arg("mask").noconvert(),
             nb::arg("seed"), nb::arg("counter"), nb::arg("first"), nb::arg("action").noconvert())
        .def("choose_one", &LevelBatch::choose_one, nb::arg("game"), nb::arg("seed"), nb::arg("counter"));
}
