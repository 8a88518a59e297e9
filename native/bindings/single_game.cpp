// One game that is played move by move, for Python.
#include "bindings/single_game.hpp"

using namespace ninefold;

void bind_single_games(nb::module_& m) {
    nb::class_<SingleGame>(m, "SingleGame")
        .def(nb::init<bool, bool>(), nb::arg("drawn_counts_for_both"), nb::arg("boards_break_ties"))
        .def_prop_ro("turn", &SingleGame::turn)
        .def("words", &SingleGame::words)
        .def("set", &SingleGame::set, nb::arg("words"))
        .def("play", &SingleGame::play, nb::arg("move"))
        .def("observe", &SingleGame::observe, nb::arg("side"), nb::arg("over"), nb::arg("planes").noconvert(),
             nb::arg("mask").noconvert())
        .def("random_move", &SingleGame::random_move, nb::arg("seed"), nb::arg("counter"));
}
