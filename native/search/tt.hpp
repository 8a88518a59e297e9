// The transposition table: what the search knows of positions, in fixed memory, shared by its threads without locks.
#pragma once

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "rules.hpp"

namespace ninefold {

enum class Bound : uint8_t { none, lower, upper, exact };

struct TTEntry {
    int score = 0;
    int depth = 0;
    int move = MOVE_COUNT;  // MOVE_COUNT for no move
    Bound bound = Bound::none;
};

class TranspositionTable {
public:
    // Uses at most this number of bytes, and at least one bucket.
    explicit TranspositionTable(size_t bytes) {
        buckets_ = 1;
        while (buckets_ * 2 * sizeof(Bucket) <= bytes) buckets_ *= 2;
        table_.reset(allocate(buckets_));
    }

    size_t bytes() const { return buckets_ * sizeof(Bucket); }

    void clear() {
        for (size_t bucket = 0; bucket < buckets_; ++bucket)
            for (Slot& slot : table_.get()[bucket].slots) {
                slot.check.store(0, std::memory_order_relaxed);
                slot.data.store(0, std::memory_order_relaxed);
            }
    }

    // Entries of earlier searches are replaced first.
    void new_search() { generation_ = static_cast<uint8_t>(generation_ + 1); }

    [[gnu::always_inline]] void prefetch(uint64_t key) const {
        __builtin_prefetch(&table_.get()[key & (buckets_ - 1)]);
    }

    // The entry of a position; its bound is none if there is no entry.
    [[gnu::always_inline]] TTEntry probe(uint64_t key) const {
        for (const Slot& slot : table_.get()[key & (buckets_ - 1)].slots) {
            uint64_t data = slot.data.load(std::memory_order_relaxed);
            // Two threads may have written the two halves of a slot; then they do not fit together (Hyatt's XOR trick).
            if ((slot.check.load(std::memory_order_relaxed) ^ data) == key && data) return unpack(data);
        }
        return {};
    }

    // Replaces the entry of the same position, or else the shallowest and oldest one of the bucket.
    [[gnu::always_inline]] void store(uint64_t key, TTEntry entry) {
        Bucket& bucket = table_.get()[key & (buckets_ - 1)];
        Slot* replaced = nullptr;
        int least = 1 << 30;
        for (Slot& slot : bucket.slots) {
            uint64_t data = slot.data.load(std::memory_order_relaxed);
            if ((slot.check.load(std::memory_order_relaxed) ^ data) == key) {
                replaced = &slot;
                break;
            }
            int priority = data ? unpack(data).depth - 8 * age(data) : -(1 << 20);
            if (priority < least) least = priority, replaced = &slot;
        }
        uint64_t data = pack(entry);
        replaced->data.store(data, std::memory_order_relaxed);
        replaced->check.store(key ^ data, std::memory_order_relaxed);
    }

private:
    struct Slot {
        std::atomic<uint64_t> check{0}, data{0};
    };
    struct alignas(64) Bucket {
        Slot slots[4];
    };

    struct Free {
        void operator()(Bucket* table) const { std::free(table); }
    };

    size_t buckets_;
    std::unique_ptr<Bucket, Free> table_;
    uint8_t generation_ = 1;

    // The table is accessed at random: with large pages, where the system has them, addresses are translated faster.
    static Bucket* allocate(size_t buckets) {
        constexpr size_t page = size_t{1} << 21;
        size_t bytes = buckets * sizeof(Bucket);
        void* memory = std::aligned_alloc(bytes < page ? alignof(Bucket) : page, bytes);
#if defined(__cpp_exceptions)
        if (!memory) throw std::bad_alloc();
#else
        if (!memory) std::abort();
#endif
#if defined(__linux__)
        if (bytes >= page) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        auto* table = static_cast<Bucket*>(memory);
        std::uninitialized_value_construct_n(table, buckets);
        return table;
    }

    // How many searches ago an entry was stored.
    [[gnu::always_inline]] int age(uint64_t data) const {
        return static_cast<uint8_t>(generation_ - static_cast<uint8_t>(data >> 40));
    }

    [[gnu::always_inline]] uint64_t pack(TTEntry entry) const {
        return static_cast<uint64_t>(static_cast<uint16_t>(entry.score)) | static_cast<uint64_t>(entry.depth) << 16 |
               static_cast<uint64_t>(entry.move) << 24 | static_cast<uint64_t>(entry.bound) << 32 |
               static_cast<uint64_t>(generation_) << 40 | 1ull << 63;
    }

    [[gnu::always_inline]] static TTEntry unpack(uint64_t data) {
        return {static_cast<int16_t>(data), static_cast<uint8_t>(data >> 16), static_cast<uint8_t>(data >> 24),
                static_cast<Bound>(static_cast<uint8_t>(data >> 32))};
    }
};

}  // namespace ninefold
