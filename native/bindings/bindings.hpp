// What the files of this folder share: they are the only ones that know Python. Everything from there is checked before
// the core sees it.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "rules.hpp"

namespace nb = nanobind;

// A position with its rules, as Python holds it.
struct NativePosition {
    ninefold::Position position;
    ninefold::Rules rules;
};

[[noreturn]] inline void refuse(const std::string& why) { throw nb::value_error(why.c_str()); }

inline void check_not_ended(const NativePosition& self) {
    if (self.position.ended(self.rules)) refuse("The game has ended.");
}

void bind_positions(nb::module_& m);
void bind_squared_methods(nb::module_& m);
void bind_playouts(nb::module_& m);
void bind_mcts(nb::module_& m);
void bind_search(nb::module_& m);
void bind_batches(nb::module_& m);
void bind_levels(nb::module_& m);
void bind_single_games(nb::module_& m);
