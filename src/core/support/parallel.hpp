// Threads of the standard library, and how to stop them.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "support/workspace.hpp"

namespace aslant {

// Thrown inside the core to leave a stopped computation.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// Shared by all threads of a fit: whether to stop, why, and who polls the outside world.
class Supervisor {
 public:
  // `look_outside` is called periodically by the calling thread only (signals, progress); it may
  // throw.
  explicit Supervisor(std::function<void()> look_outside = {})
      : look_outside_(std::move(look_outside)), caller_(std::this_thread::get_id()) {}

  // Called often, by every long loop.
  void check() {
    if (stop_.load(std::memory_order_relaxed)) throw Interrupted();
    if (!look_outside_ || std::this_thread::get_id() != caller_) return;
    try {
      look_outside_();
    } catch (...) {
      stop(std::current_exception());
      throw;
    }
  }

  // Stops all threads. Keeps the first cause; threads that merely obey have none.
  void stop(const std::exception_ptr& cause) {
    try {
      std::rethrow_exception(cause);
    } catch (const Interrupted&) {
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!cause_) cause_ = cause;
    }
    stop_ = true;
  }

  // Rethrows the original cause, whatever a thread left with.
  void rethrow_cause() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (cause_) std::rethrow_exception(cause_);
  }

 private:
  std::function<void()> look_outside_;
  std::thread::id caller_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::exception_ptr cause_;
};

// Waits for a moment until something is so. What threads wait for within a tree comes soon, and
// waking a sleeping thread takes longer.
template <class Condition>
void wait_awake(const Condition& condition) {
  constexpr int kLooks = 2000;
  for (int i = 0; i < kLooks && !condition(); ++i)
    if (i % 16 == 15) std::this_thread::yield();
}

// A pool of `n_threads` including the caller. One thread runs everything in place.
class ThreadPool {
 public:
  explicit ThreadPool(int n_threads, Supervisor& supervisor) : supervisor_(supervisor) {
    for (int i = 1; i < n_threads; ++i) {
      try {
        workers_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        break;  // the system grants no more threads: use those there are
      }
    }
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      closing_ = true;
      tasks_.clear();
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  // Adds a task; newest first, so that trees grow depth-first and hold few rows at a time.
  void submit(std::function<void()> task) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      tasks_.push_back(std::move(task));
      ++unfinished_;  // after push_back, which may run out of memory
      ++n_waiting_;
    }
    wake_.notify_one();
  }

  // Works until no task is left, including tasks added meanwhile; rethrows the first failure.
  void run() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (unfinished_ > 0) {
      if (!tasks_.empty()) {
        take_one(lock);
      } else {
        wake_.wait_for(lock, std::chrono::milliseconds(20));
        lock.unlock();
        ask_supervisor();
        lock.lock();
      }
    }
    if (failure_) {
      supervisor_.rethrow_cause();
      std::rethrow_exception(std::exchange(failure_, nullptr));
    }
  }

  // Calls body(i) for i = 0..n-1, on idle threads too, and returns when all are done. The caller
  // only works on its own bodies, so tasks may call this.
  template <class Body>
  void for_each(int n, const Body& body) {
    if (workers_.empty() || n < 2) {
      for (int i = 0; i < n; ++i) body(i);
      return;
    }
    const auto share = std::make_shared<Share>(n, [&body](int i) { body(i); }, supervisor_);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const int helpers = std::min(n, size()) - 1;
      for (int i = 0; i < helpers; ++i) {
        tasks_.push_back([share] { share->work(); });
        ++unfinished_;
        ++n_waiting_;
      }
    }
    wake_.notify_all();
    share->work();
    share->wait();
  }

 private:
  // The bodies of one for_each. A late helper finds nothing to take, and never touches `body`,
  // which belongs to the caller, after the last one is done.
  struct Share {
    Share(int n_bodies, std::function<void(int)> each, Supervisor& of_all)
        : n(n_bodies), body(std::move(each)), supervisor(of_all) {}

    void work() {
      for (int i = next++; i < n; i = next++) {
        std::exception_ptr problem;
        try {
          body(i);
        } catch (...) {
          problem = std::current_exception();
        }
        const std::lock_guard<std::mutex> lock(mutex);
        ++done;
        if (problem) {
          if (!failure) failure = problem;
          supervisor.stop(problem);
          done += n - std::min(n, next.exchange(n));  // untaken bodies count as done
        }
        if (done == n) all_done.notify_all();
      }
    }
    // Running bodies use the caller's data, so even a stop waits for them.
    void wait() {
      wait_awake([this] { return done == n; });
      std::unique_lock<std::mutex> lock(mutex);
      while (
          !all_done.wait_for(lock, std::chrono::milliseconds(20), [this] { return done == n; })) {
        if (failure) continue;
        try {
          supervisor.check();
        } catch (...) {
          failure = std::current_exception();
        }
      }
      if (!failure) return;
      supervisor.rethrow_cause();
      std::rethrow_exception(failure);
    }

    const int n;
    std::function<void(int)> body;
    Supervisor& supervisor;
    std::atomic<int> next{0};
    std::atomic<int> done{0};
    std::exception_ptr failure;
    std::mutex mutex;
    std::condition_variable all_done;
  };

  void work() {
    const Workspace workspace;
    std::unique_lock<std::mutex> lock(mutex_);
    while (!closing_) {
      if (!tasks_.empty()) {
        take_one(lock);
        continue;
      }
      lock.unlock();
      wait_awake([this] { return closing_ || n_waiting_ > 0; });
      lock.lock();
      wake_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
    }
  }

  void take_one(std::unique_lock<std::mutex>& lock) {
    const std::function<void()> task = std::move(tasks_.back());
    tasks_.pop_back();
    --n_waiting_;
    lock.unlock();
    std::exception_ptr problem;
    try {
      task();
    } catch (...) {
      problem = std::current_exception();
    }
    lock.lock();
    if (problem) fail(problem);
    if (--unfinished_ == 0) wake_.notify_all();
  }

  // Keeps the first failure and drops the remaining work.
  void fail(std::exception_ptr problem) {
    if (!failure_) failure_ = problem;
    supervisor_.stop(problem);
    unfinished_ -= static_cast<int>(tasks_.size());
    tasks_.clear();
    n_waiting_ = 0;
  }

  void ask_supervisor() {
    try {
      supervisor_.check();
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      fail(std::current_exception());
    }
  }

  Supervisor& supervisor_;
  std::vector<std::thread> workers_;
  std::deque<std::function<void()>> tasks_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::exception_ptr failure_;
  int unfinished_ = 0;
  std::atomic<int> n_waiting_{0};  // the size of tasks_, to be read without the lock
  std::atomic<bool> closing_{false};
};

}  // namespace aslant
