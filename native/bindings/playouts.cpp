// Random games for Python.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/bindings.hpp"
#include "dispatch.hpp"

using namespace ninefold;

namespace {

using Counts = std::tuple<uint64_t, uint64_t, uint64_t, uint64_t>;

// The processor is auto, scalar or avx512.
Counts playouts(const NativePosition& self, uint64_t count, uint64_t seed, uint64_t first,
                const std::string& processor) {
    check_not_ended(self);
    if (first + count < first) refuse("The numbers of the games do not fit into 64 bits.");
    if (processor != "auto" && processor != "scalar" && processor != "avx512")
        refuse("A processor is auto, scalar or avx512.");
    if (processor == "avx512" && !has_avx512()) refuse("This machine has no AVX-512.");
    bool wide = processor == "avx512" || (processor == "auto" && has_avx512());
    constexpr uint64_t chunk = 1 << 18;  // Ctrl-C is handled between two chunks
    PlayoutCounts sum;
    for (uint64_t done = 0; done < count; done += chunk) {
        uint64_t size = std::min(chunk, count - done);
        {
            nb::gil_scoped_release release;
            auto play = wide ? playouts_avx512 : cpu_kernels().playouts;
            PlayoutCounts counts = play(self.position, self.rules, seed, first + done, size);
            sum.x += counts.x, sum.drawn += counts.drawn, sum.o += counts.o, sum.plies += counts.plies;
        }
        if (PyErr_CheckSignals()) throw nb::python_error();
    }
    return {sum.x, sum.drawn, sum.o, sum.plies};
}

// The moves of one random game: those that playouts plays for this number.
std::vector<int> random_game(const NativePosition& self, uint64_t seed, uint64_t game) {
    check_not_ended(self);
    Position position = self.position;
    RandomStream stream(seed, game);
    std::vector<int> moves;
    do {
        BoardAndCell move = random_move(position, stream);
        moves.push_back(move.board * 9 + move.cell);
        position.play(move.board, move.cell);
    } while (!position.ended(self.rules));
    return moves;
}

}  // namespace

void bind_playouts(nb::module_& m) {
    m.def("playouts", &playouts, nb::arg("position"), nb::arg("count"), nb::arg("seed"), nb::arg("first"),
          nb::arg("processor"));
    m.def("random_game", &random_game, nb::arg("position"), nb::arg("seed"), nb::arg("game"));
}
