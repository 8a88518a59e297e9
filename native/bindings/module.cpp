// The extension module ninefold._native.
#include <nanobind/stl/string.h>

#include "bindings/bindings.hpp"
#include "dispatch.hpp"

NB_MODULE(_native, m) {
    bind_positions(m);
    bind_squared_methods(m);
    bind_playouts(m);
    bind_mcts(m);
    bind_search(m);
    bind_batches(m);
    bind_single_games(m);
    bind_levels(m);
    m.def("processor",
          [] { return std::string(ninefold::cpu_kernels().name) + (ninefold::has_avx512() ? "+avx512" : ""); });
}
