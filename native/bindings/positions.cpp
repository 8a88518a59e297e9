// Positions and perft for Python.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "dispatch.hpp"
#include "movegen.hpp"

using namespace ninefold;

namespace {

using Marks = std::vector<int>;

NativePosition make_position(const Marks& x, const Marks& o, int board, int turn, bool both, bool boards) {
    if (x.size() != 9 || o.size() != 9) refuse("A position has nine boards.");
    if (board < 0 || board > ANY_BOARD) refuse("The board to play in is 0 to 8, or 9 for any.");
    if (turn != 0 && turn != 1) refuse("The side to move is 0 (X) or 1 (O).");
    NativePosition self{{}, {both, boards}};
    Position& position = self.position;
    for (int b = 0; b < 9; ++b) {
        auto i = static_cast<size_t>(b);
        if (x[i] < 0 || o[i] < 0 || x[i] > FULL_BOARD || o[i] > FULL_BOARD || (x[i] & o[i]))
            refuse("A board's marks are two disjoint sets of nine cells.");
        position.marks[0][b] = static_cast<uint16_t>(x[i]);
        position.marks[1][b] = static_cast<uint16_t>(o[i]);
        bool x_line = has_line(static_cast<unsigned>(x[i])), o_line = has_line(static_cast<unsigned>(o[i]));
        if (x_line && o_line) refuse("A board has a line of X and a line of O.");
        bool full = (x[i] | o[i]) == FULL_BOARD;
        position.won[0] = static_cast<uint16_t>(position.won[0] | x_line << b);
        position.won[1] = static_cast<uint16_t>(position.won[1] | o_line << b);
        if (full && !x_line && !o_line) position.drawn = static_cast<uint16_t>(position.drawn | 1 << b);
    }
    if (board != ANY_BOARD && position.dead() >> board & 1) refuse("The board to play in is dead.");
    position.board = static_cast<uint8_t>(board);
    position.turn = static_cast<uint8_t>(turn);
    return self;
}

std::vector<int> moves(const NativePosition& self) {
    if (self.position.ended(self.rules)) return {};
    MoveList list = generate_moves(self.position);
    return {list.begin(), list.end()};
}

NativePosition play(NativePosition self, int move) {
    for (int legal : moves(self))
        if (legal == move) {
            self.position.play(move / 9, move % 9);
            return self;
        }
    refuse("This move is not legal in this position.");
}

int result(const NativePosition& self) {
    if (!self.position.ended(self.rules)) refuse("The game has not ended.");
    return self.position.result(self.rules);
}

std::pair<Marks, Marks> marks(const NativePosition& self) {
    const auto& marks = self.position.marks;
    return {Marks(marks[0], marks[0] + 9), Marks(marks[1], marks[1] + 9)};
}

uint64_t perft(const NativePosition& self, int depth) {
    if (depth < 0 || depth > 12) refuse("A depth is 0 to 12.");
    if (depth > 0 && self.position.ended(self.rules)) return 0;
    nb::gil_scoped_release release;
    return cpu_kernels().perft(self.position, self.rules, depth);
}

}  // namespace

void bind_positions(nb::module_& m) {
    nb::class_<NativePosition>(m, "NativePosition")
        .def(
            "__init__",
            [](NativePosition* self, const Marks& x, const Marks& o, int board, int turn, bool both, bool boards) {
                new (self) NativePosition(make_position(x, o, board, turn, both, boards));
            },
            nb::arg("x"), nb::arg("o"), nb::arg("board"), nb::arg("turn"), nb::arg("drawn_counts_for_both"),
            nb::arg("boards_break_ties"))
        .def("moves", &moves)
        .def("play", &play, nb::arg("move"))
        .def("ended", [](const NativePosition& self) { return self.position.ended(self.rules); })
        .def("result", &result)
        .def("marks", &marks)
        .def_prop_ro("board", [](const NativePosition& self) { return static_cast<int>(self.position.board); })
        .def_prop_ro("turn", [](const NativePosition& self) { return static_cast<int>(self.position.turn); });
    m.def("perft", &perft, nb::arg("position"), nb::arg("depth"));
}
