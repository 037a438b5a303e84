// Threads of the standard library, and the way to stop them.
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

namespace aslant {

// Raised inside the core to leave a computation that was asked to stop.
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// Shared by everything that works on one fit: whether to stop, why, and who asks the outside world.
class Supervisor {
 public:
  // `look_outside` is called now and then by the calling thread only (signals, progress); it may
  // throw.
  explicit Supervisor(std::function<void()> look_outside = {})
      : look_outside_(std::move(look_outside)), caller_(std::this_thread::get_id()) {}

  // Called by every long loop, often.
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

  // Everybody stops. The first cause is kept; those who leave because they were asked to have none
  // of their own.
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

  // Whatever a thread happened to leave with, the caller learns the cause.
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

// A pool of `n_threads` including the caller. With one thread nothing is started and everything
// runs in place.
class ThreadPool {
 public:
  explicit ThreadPool(int n_threads, Supervisor& supervisor) : supervisor_(supervisor) {
    for (int i = 1; i < n_threads; ++i) {
      try {
        workers_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        break;  // the system grants no more threads: those there are do the work
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

  // Adds a task; newest first, so that a tree is grown in depth and few rows are held at a time.
  void submit(std::function<void()> task) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ++unfinished_;
      tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
  }

  // Works on tasks until none is left, tasks added meanwhile included; rethrows the first failure.
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
  // only ever works on its own bodies, so this may be called from inside a task.
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
      unfinished_ += helpers;
      for (int i = 0; i < helpers; ++i) tasks_.push_back([share] { share->work(); });
    }
    wake_.notify_all();
    share->work();
    share->wait();
  }

 private:
  // The bodies of one for_each. A helper that comes late finds nothing left to take, and `body`,
  // which belongs to the caller, is not touched after the last one was done.
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
          done += n - std::min(n, next.exchange(n));  // bodies nobody has taken count as done
        }
        if (done == n) all_done.notify_all();
      }
    }
    // Bodies under way still use what belongs to the caller, so even a stop waits for them.
    void wait() {
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
    int done = 0;
    std::exception_ptr failure;
    std::mutex mutex;
    std::condition_variable all_done;
  };

  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!closing_) {
      if (tasks_.empty())
        wake_.wait(lock);
      else
        take_one(lock);
    }
  }

  void take_one(std::unique_lock<std::mutex>& lock) {
    const std::function<void()> task = std::move(tasks_.back());
    tasks_.pop_back();
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

  // The first failure is kept, the rest of the work dropped.
  void fail(std::exception_ptr problem) {
    if (!failure_) failure_ = problem;
    supervisor_.stop(problem);
    unfinished_ -= static_cast<int>(tasks_.size());
    tasks_.clear();
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
  bool closing_ = false;
};

}  // namespace aslant
