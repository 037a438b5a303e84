// What a long computation without the interpreter's lock tells the outside world, and learns of it.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace aslant {

// Once the interpreter shuts down, Python ends every thread that asks for its lock, in the middle
// of whatever it does. So from the moment it is about to leave, a fit that is still running in a
// daemon thread asks no more and waits for the end of the process; and before it leaves, those that
// have asked already get their answer.
class Departure {
 public:
  // The one of this process. Threads may outlive everything else, so it is never destroyed.
  static Departure& of_the_interpreter() {
    static auto* departure = new Departure;
    return *departure;
  }

  // Counts a thread that is about to ask; one that comes too late does not return.
  void begin_asking() {
    ++asking_;
    if (!begun_ || std::this_thread::get_id() == leaving_thread_) return;
    --asking_;
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  void end_asking() { --asking_; }

  // Called by the thread that shuts the interpreter down, with its lock.
  void begin() {
    leaving_thread_ = std::this_thread::get_id();
    begun_ = true;
    const pybind11::gil_scoped_release no_gil;
    for (int waited = 0; asking_ > 0 && waited < kMostMilliseconds; ++waited)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

 private:
  static constexpr int kMostMilliseconds = 5000;  // a callback of the user may take for ever

  std::thread::id leaving_thread_;
  std::atomic<bool> begun_{false};
  std::atomic<int> asking_{0};
};

// A thread is asking for the lock, or has got it and is not to be ended where it is.
struct Asking {
  Asking() { Departure::of_the_interpreter().begin_asking(); }
  ~Asking() { Departure::of_the_interpreter().end_asking(); }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;
};

// The interpreter's lock, for a thread of the core.
class InterpreterLock {
 private:
  Asking asking_;  // before the lock is taken, and until it is given back
  pybind11::gil_scoped_acquire lock_;
};

// Work without the interpreter's lock, which the thread that came from Python gets back at the end.
class WithoutInterpreterLock {
 public:
  WithoutInterpreterLock() { released_.emplace(); }
  ~WithoutInterpreterLock() {
    const Asking asking;
    released_.reset();
  }
  WithoutInterpreterLock(const WithoutInterpreterLock&) = delete;
  WithoutInterpreterLock& operator=(const WithoutInterpreterLock&) = delete;

 private:
  std::optional<pybind11::gil_scoped_release> released_;
};

// Looks for Ctrl-C and calls `progress`, unless it is None, with what it is called with itself; at
// most twenty times a second. Either may raise.
inline auto outside_world(pybind11::object progress) {
  using Clock = std::chrono::steady_clock;
  return [progress = std::move(progress), last = Clock::now()](auto... news) mutable {
    if (Clock::now() - last < std::chrono::milliseconds(50)) return;
    const InterpreterLock lock;
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    if (!progress.is_none()) progress(news...);
    last = Clock::now();
  };
}

}  // namespace aslant
