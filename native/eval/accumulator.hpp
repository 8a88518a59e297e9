// The sum of rows of the network, and its weighted output: with AVX-512, with AVX2, with the vectors of WebAssembly,
// and for any processor. All of them compute the same. Compiled for several processors, so every function is inlined.
#pragma once

#include <algorithm>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace ninefold {

constexpr int NETWORK_WIDTH = 64;
constexpr int NETWORK_CLIP = 255;  // a number of an accumulator is clipped to 0 .. 255, which stands for 0 .. 1

struct alignas(64) NetworkRow {
    int16_t numbers[NETWORK_WIDTH];
};

#if defined(__AVX512BW__)

class Accumulator {
public:
    [[gnu::always_inline]] explicit Accumulator(const NetworkRow& row) : low_(load(row, 0)), high_(load(row, 1)) {}

    [[gnu::always_inline]] void add(const NetworkRow& row) {
        low_ = _mm512_add_epi16(low_, load(row, 0));
        high_ = _mm512_add_epi16(high_, load(row, 1));
    }

    [[gnu::always_inline]] void subtract(const NetworkRow& row) {
        low_ = _mm512_sub_epi16(low_, load(row, 0));
        high_ = _mm512_sub_epi16(high_, load(row, 1));
    }

    [[gnu::always_inline]] void store(NetworkRow& row) const {
        _mm512_store_si512(row.numbers, low_);
        _mm512_store_si512(row.numbers + HALF, high_);
    }

    // The weighted sum of the squared and clipped numbers.
    [[gnu::always_inline]] int weigh(const NetworkRow& weights) const {
        const __m512i total = _mm512_add_epi32(weigh(low_, load(weights, 0)), weigh(high_, load(weights, 1)));
        __m256i sum = _mm256_add_epi32(_mm512_castsi512_si256(total), _mm512_extracti64x4_epi64(total, 1));
        __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
        half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
        half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
        return _mm_cvtsi128_si32(half);
    }

private:
    static constexpr int HALF = NETWORK_WIDTH / 2;
    __m512i low_, high_;

    [[gnu::always_inline]] static __m512i load(const NetworkRow& row, int part) {
        return _mm512_load_si512(row.numbers + HALF * part);
    }

    // The product with a weight of 8 bits fits into 16 bits.
    [[gnu::always_inline]] static __m512i weigh(__m512i numbers, __m512i weights) {
        const __m512i clip = _mm512_set1_epi16(NETWORK_CLIP);
        numbers = _mm512_min_epi16(_mm512_max_epi16(numbers, _mm512_setzero_si512()), clip);
        return _mm512_madd_epi16(_mm512_mullo_epi16(numbers, weights), numbers);
    }
};

#elif defined(__AVX2__)

class Accumulator {
public:
    [[gnu::always_inline]] explicit Accumulator(const NetworkRow& row) {
        for (int part = 0; part < PARTS; ++part) parts_[part] = load(row, part);
    }

    [[gnu::always_inline]] void add(const NetworkRow& row) {
        for (int part = 0; part < PARTS; ++part) parts_[part] = _mm256_add_epi16(parts_[part], load(row, part));
    }

    [[gnu::always_inline]] void subtract(const NetworkRow& row) {
        for (int part = 0; part < PARTS; ++part) parts_[part] = _mm256_sub_epi16(parts_[part], load(row, part));
    }

    [[gnu::always_inline]] void store(NetworkRow& row) const {
        for (int part = 0; part < PARTS; ++part)
            _mm256_store_si256(reinterpret_cast<__m256i*>(row.numbers) + part, parts_[part]);
    }

    // The weighted sum of the squared and clipped numbers.
    [[gnu::always_inline]] int weigh(const NetworkRow& weights) const {
        const __m256i zero = _mm256_setzero_si256(), clip = _mm256_set1_epi16(NETWORK_CLIP);
        __m256i total = zero;
        for (int part = 0; part < PARTS; ++part) {
            __m256i number = _mm256_min_epi16(_mm256_max_epi16(parts_[part], zero), clip);
            // The product with a weight of 8 bits fits into 16 bits.
            __m256i product = _mm256_mullo_epi16(number, load(weights, part));
            total = _mm256_add_epi32(total, _mm256_madd_epi16(product, number));
        }
        __m128i half = _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
        half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
        half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
        return _mm_cvtsi128_si32(half);
    }

private:
    static constexpr int PARTS = NETWORK_WIDTH / 16;
    __m256i parts_[PARTS];

    [[gnu::always_inline]] static __m256i load(const NetworkRow& row, int part) {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(row.numbers) + part);
    }
};

#elif defined(__wasm_simd128__)

class Accumulator {
public:
    [[gnu::always_inline]] explicit Accumulator(const NetworkRow& row) {
        for (int part = 0; part < PARTS; ++part) parts_[part] = load(row, part);
    }

    [[gnu::always_inline]] void add(const NetworkRow& row) {
        for (int part = 0; part < PARTS; ++part) parts_[part] = wasm_i16x8_add(parts_[part], load(row, part));
    }

    [[gnu::always_inline]] void subtract(const NetworkRow& row) {
        for (int part = 0; part < PARTS; ++part) parts_[part] = wasm_i16x8_sub(parts_[part], load(row, part));
    }

    [[gnu::always_inline]] void store(NetworkRow& row) const {
        for (int part = 0; part < PARTS; ++part) wasm_v128_store(row.numbers + 8 * part, parts_[part]);
    }

    // The weighted sum of the squared and clipped numbers.
    [[gnu::always_inline]] int weigh(const NetworkRow& weights) const {
        const v128_t zero = wasm_i16x8_splat(0), clip = wasm_i16x8_splat(NETWORK_CLIP);
        v128_t total = zero;
        for (int part = 0; part < PARTS; ++part) {
            v128_t number = wasm_i16x8_min(wasm_i16x8_max(parts_[part], zero), clip);
            // The product with a weight of 8 bits fits into 16 bits.
            v128_t product = wasm_i16x8_mul(number, load(weights, part));
            total = wasm_i32x4_add(total, wasm_i32x4_dot_i16x8(product, number));
        }
        return wasm_i32x4_extract_lane(total, 0) + wasm_i32x4_extract_lane(total, 1) +
               wasm_i32x4_extract_lane(total, 2) + wasm_i32x4_extract_lane(total, 3);
    }

private:
    static constexpr int PARTS = NETWORK_WIDTH / 8;
    v128_t parts_[PARTS];

    [[gnu::always_inline]] static v128_t load(const NetworkRow& row, int part) {
        return wasm_v128_load(row.numbers + 8 * part);
    }
};

#else

class Accumulator {
public:
    [[gnu::always_inline]] explicit Accumulator(const NetworkRow& row) : sums_(row) {}

    [[gnu::always_inline]] void add(const NetworkRow& row) {
        for (int i = 0; i < NETWORK_WIDTH; ++i)
            sums_.numbers[i] = static_cast<int16_t>(sums_.numbers[i] + row.numbers[i]);
    }

    [[gnu::always_inline]] void subtract(const NetworkRow& row) {
        for (int i = 0; i < NETWORK_WIDTH; ++i)
            sums_.numbers[i] = static_cast<int16_t>(sums_.numbers[i] - row.numbers[i]);
    }

    [[gnu::always_inline]] void store(NetworkRow& row) const { row = sums_; }

    // The weighted sum of the squared and clipped numbers.
    [[gnu::always_inline]] int weigh(const NetworkRow& weights) const {
        int total = 0;
        for (int i = 0; i < NETWORK_WIDTH; ++i) {
            int number = std::clamp<int>(sums_.numbers[i], 0, NETWORK_CLIP);
            total += number * weights.numbers[i] * number;
        }
        return total;
    }

private:
    NetworkRow sums_;
};

#endif

}  // namespace ninefold
