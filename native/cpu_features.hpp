// What this processor can do, and the operating system saves: asked of the processor itself, because not every
// compiler's run-time library (that of zig, for one) has what __builtin_cpu_supports needs.
#pragma once

#if defined(__x86_64__)
#include <cpuid.h>

namespace ninefold {

struct CpuFeatures {
    bool v3 = false;  // AVX2, BMI2, POPCNT
    bool v4 = false;  // and AVX-512 F, BW, CD, DQ, VL
    bool avx512_bitalg = false;
    bool avx512_vpopcntdq = false;
};

inline CpuFeatures detect_cpu_features() {
    unsigned a, b, c, d;
    constexpr unsigned popcnt = 1u << 23, osxsave = 1u << 27;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & (popcnt | osxsave)) != (popcnt | osxsave)) return {};
    unsigned saved, high;  // the registers that the operating system saves
    __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
    constexpr unsigned ymm = 0x06, zmm = 0xe6;
    if ((saved & ymm) != ymm || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return {};
    constexpr unsigned avx2_bmi2 = 1u << 5 | 1u << 8;
    constexpr unsigned f_dq_cd_bw_vl = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31;
    CpuFeatures found;
    found.v3 = (b & avx2_bmi2) == avx2_bmi2;
    found.v4 = found.v3 && (saved & zmm) == zmm && (b & f_dq_cd_bw_vl) == f_dq_cd_bw_vl;
    found.avx512_bitalg = found.v4 && (c >> 12 & 1);
    found.avx512_vpopcntdq = found.v4 && (c >> 14 & 1);
    return found;
}

inline const CpuFeatures& cpu_features() {
    static const CpuFeatures found = detect_cpu_features();
    return found;
}

}  // namespace ninefold
#endif
