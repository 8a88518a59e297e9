// Compiled once for any processor and once for those with the instructions of x86-64-v3; see CMakeLists.txt.
#include "kernels.hpp"

#include "big_steps.hpp"
#include "perft.hpp"

namespace ninefold {

namespace {

uint64_t count(const Position& position, Rules rules, int depth) { return perft(position, rules, depth); }

void search(Task& task, int thread, Reporter report, void* to) { Worker<ByHand>(task, task.evaluate, thread).run(report, to); }

constexpr BatchKernels<BigGame> BATCH = {big_step, big_random_action, big_random_step, big_rollout, big_view};

}  // namespace

#if defined(NINEFOLD_COMPILING_V3)
extern const Kernels kernels_v3 = {"x86-64-v3", count, playouts_scalar, search, BATCH};
#else
extern const Kernels kernels_portable = {"portable", count, playouts_scalar, search, BATCH};
#endif

}  // namespace ninefold
