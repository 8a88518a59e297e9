// Compiled once for any processor, once for x86-64-v3 (AVX2) and once for x86-64-v4 (AVX-512); see CMakeLists.txt.
#include "batch/big_kernels.hpp"
#include "dispatch.hpp"
#include "mcts/simulate.hpp"
#include "perft.hpp"
#include "search/worker.hpp"

namespace ninefold {

namespace {

uint64_t run_perft(const Position& position, Rules rules, int depth) { return perft(position, rules, depth); }

void run_search(SharedSearch& shared, int thread, IterationCallback callback, void* context) {
    if (shared.network) Worker<NetworkEval>(shared, *shared.network, thread).run(callback, context);
    else Worker<HandCraftedEval>(shared, shared.eval, thread).run(callback, context);
}

void run_evaluate_moves(const NetworkEval& eval, const Position& position, Rules rules, int* values) {
    NetworkEval::Node node = eval.prepare(position, rules);
    for (int move : generate_moves(position)) {
        eval.choose_board(node, move / 9);
        *values++ = eval.evaluate_child(node, move / 9, move % 9, next_board(position, move / 9, move % 9));
    }
}

constexpr BatchKernels<BigGame> BIG_KERNELS = {big_step, big_random_action, big_random_step, big_rollout, big_view};

}  // namespace

#if defined(NINEFOLD_COMPILING_V4)
extern const CpuKernels cpu_kernels_v4 = {"x86-64-v4",        run_perft, playouts_scalar, run_search,
                                          run_evaluate_moves, simulate,  BIG_KERNELS};
#elif defined(NINEFOLD_COMPILING_V3)
extern const CpuKernels cpu_kernels_v3 = {"x86-64-v3",        run_perft, playouts_scalar, run_search,
                                          run_evaluate_moves, simulate,  BIG_KERNELS};
#else
extern const CpuKernels cpu_kernels_portable = {"portable",         run_perft, playouts_scalar, run_search,
                                                run_evaluate_moves, simulate,  BIG_KERNELS};
#endif

}  // namespace ninefold
