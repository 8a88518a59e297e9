// Many games of a small game at once, through its table.
#pragma once

#include "batch/kernels.hpp"
#include "batch/table_game.hpp"

namespace ninefold {

// The fastest kernels that this machine can run.
const BatchKernels<TableGame>& table_kernels();

// Plain loads, compiled for any processor: they are faster than gather instructions.
constexpr int BLOCK = 256;
void look_up(uint64_t* out, const uint64_t* table, const uint32_t* index, int count);

}  // namespace ninefold
