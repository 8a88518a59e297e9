// What the files that know Python share.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace nb = nanobind;

[[noreturn]] inline void refuse(const std::string& why) { throw nb::value_error(why.c_str()); }

void bind_batches(nb::module_& m);
