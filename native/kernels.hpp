// The functions that are compiled for several kinds of processor, and the choice among them at run time.
#pragma once

#include "batch.hpp"
#include "big_batch.hpp"
#include "playout.hpp"
#include "search.hpp"

namespace ninefold {

struct Kernels {
    const char* name;
    uint64_t (*perft)(const Position&, Rules, int depth);
    Tally (*playouts)(const Position&, Rules, uint64_t seed, uint64_t first, uint64_t count);
    void (*search)(Task&, int thread, Reporter, void* to);
    BatchKernels<BigGame> batch;
};

extern const Kernels kernels_portable, kernels_v3;

// The fastest that this machine can run.
inline const Kernels& kernels() {
#if defined(NINEFOLD_V3)
    static const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    if (v3) return kernels_v3;
#endif
    return kernels_portable;
}

}  // namespace ninefold
