// The choice of a processor's table kernels, and what they share.
#include "batch/table_kernels.hpp"

namespace ninefold {

extern const BatchKernels<TableGame> table_kernels_portable;
#if defined(NINEFOLD_V3)
extern const BatchKernels<TableGame> table_kernels_v3, table_kernels_v4;
#endif

const BatchKernels<TableGame>& table_kernels() {
#if defined(NINEFOLD_V3)
    static const bool v3 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    static const bool v4 = v3 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq");
    if (v4) return table_kernels_v4;
    if (v3) return table_kernels_v3;
#endif
    return table_kernels_portable;
}

void look_up(uint64_t* out, const uint64_t* table, const uint32_t* index, int count) {
#pragma GCC unroll 8
    for (int j = 0; j < count; ++j) out[j] = table[index[j]];
}

}  // namespace ninefold
