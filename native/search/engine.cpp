#include "search/engine.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "dispatch.hpp"

namespace ninefold {

namespace {

// The latest iteration of the main thread, and how many threads are still searching.
struct Progress {
    std::mutex mutex;
    std::condition_variable changed;
    RootMoves root_moves;
    int running;

    static void publish(void* context, const RootMoves& root_moves) {
        auto* progress = static_cast<Progress*>(context);
        std::lock_guard lock(progress->mutex);
        progress->root_moves = root_moves;
        progress->changed.notify_one();
    }

    static void ignore(void*, const RootMoves&) {}

    void thread_finished() {
        std::lock_guard lock(mutex);
        --running;
        changed.notify_one();
    }
};

}  // namespace

SearchInfo Engine::search(const Position& root, Rules rules, SearchLimits limits, int multi_pv,
                          const NetworkEval* network, const std::function<bool(const SearchInfo&)>& listener) {
    tt_.new_search();
    SharedSearch shared{root, rules, limits, multi_pv, tt_, eval_, network, std::chrono::steady_clock::now()};
    Progress progress;
    progress.running = threads_;
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < threads_; ++thread)
        threads.emplace_back([&shared, &progress, thread] {
            cpu_kernels().search(shared, thread, thread ? Progress::ignore : Progress::publish, &progress);
            if (thread == 0) shared.stop = true;  // the helper threads only fill the table
            progress.thread_finished();
        });
    std::unique_lock lock(progress.mutex);
    auto info = [&] {
        std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - shared.started;
        return SearchInfo{progress.root_moves, shared.nodes.load(), elapsed.count()};
    };
    while (progress.running) {
        progress.changed.wait_for(lock, std::chrono::milliseconds(50));
        if (!progress.running) break;
        SearchInfo now = info();
        lock.unlock();
        if (!listener(now)) shared.stop = true;
        lock.lock();
    }
    lock.unlock();
    threads.clear();
    return info();
}

}  // namespace ninefold
