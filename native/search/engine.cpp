#include "search/engine.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "dispatch.hpp"

namespace ninefold {

namespace {

// True if the result of a thread is better than that of another: a proven one, or a deeper one.
bool is_better(const RootMoves& one, const RootMoves& other) {
    if (!one.size || !other.size) return one.size > other.size;
    const bool proven = one.all_proven();
    if (proven != other.all_proven()) return proven;
    return proven ? one.lines[0].score > other.lines[0].score : one.depth > other.depth;
}

// The latest iteration of every thread, and how many threads are still searching.
class Progress {
public:
    explicit Progress(int threads) : running(threads), latest_(static_cast<size_t>(threads)) {}

    std::mutex mutex;
    std::condition_variable changed;
    int running;
    double cpu_seconds = 0;  // of the finished thread that took the most

    void publish(int thread, const RootMoves& root_moves) {
        std::lock_guard lock(mutex);
        latest_[static_cast<size_t>(thread)] = root_moves;
        changed.notify_one();
    }

    // The best thread decides; of equal ones, the first.
    const RootMoves& best() const {
        return *std::max_element(latest_.begin(), latest_.end(),
                                 [](const RootMoves& one, const RootMoves& other) { return is_better(other, one); });
    }

    void thread_finished() {
        std::lock_guard lock(mutex);
        cpu_seconds = std::max(cpu_seconds, thread_cpu_seconds());
        --running;
        changed.notify_one();
    }

private:
    std::vector<RootMoves> latest_;
};

struct ThreadProgress {
    Progress& progress;
    int thread;

    static void publish(void* context, const RootMoves& root_moves) {
        auto* own = static_cast<ThreadProgress*>(context);
        own->progress.publish(own->thread, root_moves);
    }
};

}  // namespace

SearchInfo Engine::search(const Position& root, Rules rules, SearchLimits limits, int multi_pv,
                          const NetworkEval* network, const std::function<bool(const SearchInfo&)>& listener) {
    tt_.new_search();
    SharedSearch shared{root, rules, limits, multi_pv, tt_, eval_, network, std::chrono::steady_clock::now()};
    Progress progress(threads_);
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < threads_; ++thread)
        threads.emplace_back([&shared, &progress, thread] {
            ThreadProgress own{progress, thread};
            cpu_kernels().search(shared, thread, ThreadProgress::publish, &own);
            shared.stop = true;  // everything is proven, or as deep as it was wanted
            progress.thread_finished();
        });
    std::unique_lock lock(progress.mutex);
    auto info = [&] {
        std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - shared.started;
        return SearchInfo{progress.best(), shared.nodes.load(), elapsed.count(),
                          progress.running ? 0 : progress.cpu_seconds};
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
