// The choice of a processor's table kernels, and what they share.
#include "batch/table_kernels.hpp"
#include "cpu_features.hpp"

namespace ninefold {

extern const BatchKernels<TableGame> table_kernels_portable;
#if defined(NINEFOLD_V3)
extern const BatchKernels<TableGame> table_kernels_v3, table_kernels_v4;
#endif

const BatchKernels<TableGame>& table_kernels() {
#if defined(NINEFOLD_V3)
    if (cpu_features().avx512_vpopcntdq) return table_kernels_v4;
    if (cpu_features().v3) return table_kernels_v3;
#endif
    return table_kernels_portable;
}

void look_up(uint64_t* out, const uint64_t* table, const uint32_t* index, int count) {
#pragma GCC unroll 8
    for (int j = 0; j < count; ++j) out[j] = table[index[j]];
}

}  // namespace ninefold
