// Monte Carlo tree search for Python.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "bindings/bindings.hpp"
#include "dispatch.hpp"

using namespace ninefold;

namespace {

using Child = std::tuple<int, uint32_t, int32_t>;  // a move, its visits, and the sum of its results

MctsTree make_tree(uint64_t simulations) {
    // The system may promise more memory than the machine has, and end the process later.
    auto pages = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)), page = static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
    if (MctsTree::bytes(simulations) / page >= pages) throw std::bad_alloc();
    return MctsTree(simulations);
}

// True if the simulations that are left cannot make another move the most visited one.
bool is_decided(MctsTree& tree, uint64_t left) {
    const MctsNode &root = tree.root(), *children = tree.children(root);
    uint32_t most = 0, second = 0;
    for (int i = 0; i < root.tried; ++i) {
        uint32_t visits = children[i].visits;
        second = std::max(second, std::min(most, visits));
        most = std::max(most, visits);
    }
    return most > second + left;
}

// The moves that were tried, in ascending order. The listener is called with the number of simulations so far; the
// search stops when it returns false.
std::vector<Child> mcts(const NativePosition& self, uint64_t simulations, uint64_t seed, double exploration,
                        nb::object listener, bool until_decided) {
    check_not_ended(self);
    if (simulations < 1 || simulations > MOST_SIMULATIONS) refuse("Simulations are 1 to 100,000,000.");
    if (!(exploration >= 0 && exploration <= 100)) refuse("Exploration is 0 to 100.");
    MctsSearch search{self.position, self.rules, seed, static_cast<float>(exploration), make_tree(simulations)};
    constexpr uint64_t chunk = 1 << 15;  // about 30 ms; Ctrl-C is handled between two chunks
    for (uint64_t done = 0; done < simulations; done += chunk) {
        if (done && !listener.is_none() && !nb::cast<bool>(listener(done))) break;
        if (until_decided && is_decided(search.tree, simulations - done)) break;
        {
            nb::gil_scoped_release release;
            cpu_kernels().simulate(search, done, std::min(chunk, simulations - done));
        }
        if (PyErr_CheckSignals()) throw nb::python_error();
    }
    const MctsNode &root = search.tree.root(), *children = search.tree.children(root);
    std::vector<Child> found;
    for (int i = 0; i < root.tried; ++i) found.emplace_back(children[i].move, children[i].visits, children[i].total);
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

void bind_mcts(nb::module_& m) {
    m.def("mcts", &mcts, nb::arg("position"), nb::arg("simulations"), nb::arg("seed"), nb::arg("exploration"),
          nb::arg("listener").none(), nb::arg("until_decided"));
}
