// What a long computation without the interpreter's lock tells the outside world, and hears of it.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <thread>
#include <utility>

namespace aslant {

// Once the interpreter shuts down, Python ends every thread that asks for its lock, in the middle
// of whatever it does. A fit that is still running then waits for the end of the process instead.
inline void wait_if_shutting_down() {
#if PY_VERSION_HEX >= 0x030D0000
  while (Py_IsFinalizing()) std::this_thread::sleep_for(std::chrono::seconds(1));
#else
  while (_Py_IsFinalizing()) std::this_thread::sleep_for(std::chrono::seconds(1));
#endif
}

// Looks for Ctrl-C and calls `progress`, unless it is None, with what it is called with itself; at
// most twenty times a second. Either may raise.
inline auto outside_world(pybind11::object progress) {
  using Clock = std::chrono::steady_clock;
  return [progress = std::move(progress), last = Clock::now()](auto... news) mutable {
    if (Clock::now() - last < std::chrono::milliseconds(50)) return;
    wait_if_shutting_down();
    const pybind11::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    if (!progress.is_none()) progress(news...);
    last = Clock::now();
  };
}

}  // namespace aslant
