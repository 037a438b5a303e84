// How a long computation without the GIL reports progress and learns of signals.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace aslant {

// Once the interpreter shuts down, Python kills every thread that requests the GIL, wherever it is.
// From the start of the shutdown, a fit in a daemon thread therefore blocks instead of requesting
// it; the shutdown waits for requests already made. A thread that holds the GIL must go on: the
// shutdown itself needs it.
class Departure {
 public:
  // The instance of this process; never destroyed, because threads may outlive everything else.
  static Departure& of_the_interpreter() {
    static auto* departure = new Departure;
    return *departure;
  }

  // Registers a thread that will request the GIL; does not return during shutdown.
  void begin_asking() {
    ++asking_;
    if (!begun_ || std::this_thread::get_id() == leaving_thread_ || holds_gil()) return;
    --asking_;
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  void end_asking() { --asking_; }

  // Called, with the GIL, by the thread that shuts the interpreter down.
  void begin() {
    leaving_thread_ = std::this_thread::get_id();
    begun_ = true;
    const pybind11::gil_scoped_release no_gil;
    for (int waited = 0; asking_ > 0 && waited < kMostMilliseconds; ++waited)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

 private:
  // PyGILState_Check also says yes once the interpreter is gone, hence the second question.
  static bool holds_gil() { return PyGILState_Check() != 0 && Py_IsInitialized() != 0; }

  static constexpr int kMostMilliseconds = 5000;  // a user's callback may never return

  std::thread::id leaving_thread_;
  std::atomic<bool> begun_{false};
  std::atomic<int> asking_{0};
};

// A thread that requests or holds the GIL and must not be killed.
struct Asking {
  Asking() { Departure::of_the_interpreter().begin_asking(); }
  ~Asking() { Departure::of_the_interpreter().end_asking(); }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;
};

// Holds the GIL, for a thread of the core.
class InterpreterLock {
 private:
  Asking asking_;  // from before the lock is taken until it is released
  pybind11::gil_scoped_acquire lock_;
};

// Releases the GIL; the calling Python thread gets it back at the end.
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

// Checks for Ctrl-C and forwards its argument to `progress`, unless None; at most twenty times a
// second. Either may raise.
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
