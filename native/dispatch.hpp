// CPU dispatch: functions that are compiled for several kinds of processor, and the choice among them at run time.
#pragma once

#include <array>

#include "batch/big_game.hpp"
#include "batch/kernels.hpp"
#include "cpu_features.hpp"
#include "mcts/tree.hpp"
#include "playout/playout.hpp"
#include "search/search.hpp"

namespace ninefold {

struct CpuKernels {
    const char* name;
    uint64_t (*perft)(const Position&, Rules, int depth);
    PlayoutCounts (*playouts)(const Position&, Rules, uint64_t seed, uint64_t first, uint64_t count);
    void (*search)(SharedSearch&, int thread, IterationCallback, void* context);
    // The values of the moves of a position, in their order, each for the side to move after it.
    void (*evaluate_moves)(const NetworkEval&, const Position&, Rules, int* values);
    void (*simulate)(MctsSearch&, uint64_t first, uint64_t count);
    BatchKernels<BigGame> batch;
};

extern const CpuKernels cpu_kernels_portable, cpu_kernels_v3, cpu_kernels_v4;

// The kernels that this machine can run, the fastest first. Empty places are at the end.
inline std::array<const CpuKernels*, 3> runnable_kernels() {
    std::array<const CpuKernels*, 3> found{};
    size_t count = 0;
#if defined(NINEFOLD_V3)
    if (cpu_features().v4) found[count++] = &cpu_kernels_v4;
    if (cpu_features().v3) found[count++] = &cpu_kernels_v3;
#endif
    found[count] = &cpu_kernels_portable;
    return found;
}

// The fastest ones that this machine can run.
inline const CpuKernels& cpu_kernels() {
    static const CpuKernels* fastest = runnable_kernels()[0];
    return *fastest;
}

}  // namespace ninefold
