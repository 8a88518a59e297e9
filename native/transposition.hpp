// What the search has found out about positions, in a fixed amount of memory, shared by its threads without locks.
#pragma once

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "squared.hpp"

namespace ninefold {

enum class Bound : uint8_t { none, lower, upper, exact };

struct Finding {
    int value = 0;
    int depth = 0;
    int move = MOVES;   // MOVES for no move
    Bound bound = Bound::none;
};

class Transpositions {
public:
    // Uses at most so many bytes; at least one bucket.
    explicit Transpositions(size_t bytes) {
        buckets_ = 1;
        while (buckets_ * 2 * sizeof(Bucket) <= bytes) buckets_ *= 2;
        table_.reset(allocate(buckets_));
    }

    size_t bytes() const { return buckets_ * sizeof(Bucket); }

    void clear() {
        for (size_t bucket = 0; bucket < buckets_; ++bucket)
            for (Entry& entry : table_.get()[bucket].entries) {
                entry.check.store(0, std::memory_order_relaxed);
                entry.data.store(0, std::memory_order_relaxed);
            }
    }

    void new_search() { age_ = static_cast<uint8_t>(age_ + 1); }

    [[gnu::always_inline]] void prefetch(uint64_t key) const { __builtin_prefetch(&table_.get()[key & (buckets_ - 1)]); }

    [[gnu::always_inline]] Finding find(uint64_t key) const {
        for (const Entry& entry : table_.get()[key & (buckets_ - 1)].entries) {
            uint64_t data = entry.data.load(std::memory_order_relaxed);
            // Two threads may have written the halves of an entry; then they do not fit together.
            if ((entry.check.load(std::memory_order_relaxed) ^ data) == key && data) return unpack(data);
        }
        return {};
    }

    [[gnu::always_inline]] void keep(uint64_t key, Finding finding) {
        Bucket& bucket = table_.get()[key & (buckets_ - 1)];
        Entry* worst = nullptr;
        int least = 1 << 30;
        for (Entry& entry : bucket.entries) {
            uint64_t data = entry.data.load(std::memory_order_relaxed);
            if ((entry.check.load(std::memory_order_relaxed) ^ data) == key) {
                worst = &entry;
                break;
            }
            int worth = data ? unpack(data).depth - 8 * static_cast<uint8_t>(age_ - static_cast<uint8_t>(data >> 40)) : -(1 << 20);
            if (worth < least) least = worth, worst = &entry;
        }
        uint64_t data = pack(finding);
        worst->data.store(data, std::memory_order_relaxed);
        worst->check.store(key ^ data, std::memory_order_relaxed);
    }

private:
    struct Entry {
        std::atomic<uint64_t> check{0}, data{0};
    };
    struct alignas(64) Bucket {
        Entry entries[4];
    };

    struct Free {
        void operator()(Bucket* table) const { std::free(table); }
    };

    size_t buckets_;
    std::unique_ptr<Bucket, Free> table_;
    uint8_t age_ = 1;

    // A table is read all over the place: in large pages, where the system has them, its addresses are found faster.
    static Bucket* allocate(size_t buckets) {
        constexpr size_t page = size_t{1} << 21;
        size_t bytes = buckets * sizeof(Bucket);
        void* memory = std::aligned_alloc(bytes < page ? alignof(Bucket) : page, bytes);
        if (!memory) throw std::bad_alloc();
#if defined(__linux__)
        if (bytes >= page) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        auto* table = static_cast<Bucket*>(memory);
        std::uninitialized_value_construct_n(table, buckets);
        return table;
    }

    [[gnu::always_inline]] uint64_t pack(Finding finding) const {
        return static_cast<uint64_t>(static_cast<uint16_t>(finding.value)) | static_cast<uint64_t>(finding.depth) << 16 |
               static_cast<uint64_t>(finding.move) << 24 | static_cast<uint64_t>(finding.bound) << 32 | static_cast<uint64_t>(age_) << 40 |
               1ull << 63;
    }

    [[gnu::always_inline]] static Finding unpack(uint64_t data) {
        return {static_cast<int16_t>(data), static_cast<uint8_t>(data >> 16), static_cast<uint8_t>(data >> 24),
                static_cast<Bound>(static_cast<uint8_t>(data >> 32))};
    }
};

}  // namespace ninefold
