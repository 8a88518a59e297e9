#include "engine.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace ninefold {

namespace {

// The latest report of the first thread, and whether all threads are done.
struct Mailbox {
    std::mutex mutex;
    std::condition_variable news;
    Report report;
    int running;

    static void deliver(void* to, const Report& report) {
        auto* box = static_cast<Mailbox*>(to);
        std::lock_guard lock(box->mutex);
        box->report = report;
        box->news.notify_one();
    }

    static void ignore(void*, const Report&) {}

    void done() {
        std::lock_guard lock(mutex);
        --running;
        news.notify_one();
    }
};

}  // namespace

Progress Engine::search(const Position& root, Rules rules, Limits limits, int wanted, const std::function<bool(const Progress&)>& listener) {
    table_.new_search();
    Task task{root, rules, limits, wanted, table_, evaluate_, std::chrono::steady_clock::now()};
    Mailbox box;
    box.running = threads_;
    std::vector<std::jthread> threads;
    for (int number = 0; number < threads_; ++number)
        threads.emplace_back([&task, &box, number] {
            kernels().search(task, number, number ? Mailbox::ignore : Mailbox::deliver, &box);
            if (number == 0) task.stop = true;   // the first thread speaks for all
            box.done();
        });
    std::unique_lock lock(box.mutex);
    auto progress = [&] {
        std::chrono::duration<double> passed = std::chrono::steady_clock::now() - task.begun;
        return Progress{box.report, task.nodes.load(), passed.count()};
    };
    while (box.running) {
        box.news.wait_for(lock, std::chrono::milliseconds(50));
        if (!box.running) break;
        Progress now = progress();
        lock.unlock();
        if (!listener(now)) task.stop = true;
        lock.lock();
    }
    lock.unlock();
    threads.clear();
    return progress();
}

}  // namespace ninefold
