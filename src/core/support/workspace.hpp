// Scratch memory owned by a computation.
//
// A search fills the same arrays at every node: sorted events, bins, gathered rows. Each thread of
// a fit keeps them in a Workspace across nodes, so inner loops allocate nothing. A call from Python
// opens a workspace for its thread, a thread pool one per worker; both release it at the end. A
// nested computation, such as a Python criterion that fits a tree, opens its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

namespace aslant {

class Workspace {
 public:
  // Opens a workspace on this thread and restores the previous one at the end.
  Workspace() : outer_(current_) { current_ = this; }
  ~Workspace() { current_ = outer_; }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // This thread's buffers of type T, made on first use. Each user defines its own type, so buffers
  // are never shared by accident.
  template <class T>
  static T& get() {
    if (current_ == nullptr) throw std::logic_error("no workspace is open on this thread");
    return current_->find<T>();
  }

 private:
  using Slot = std::unique_ptr<void, void (*)(void*)>;

  template <class T>
  static std::size_t slot_of() {
    static const std::size_t slot = n_slots_++;
    return slot;
  }

  template <class T>
  T& find() {
    const std::size_t slot = slot_of<T>();
    while (slots_.size() <= slot) slots_.emplace_back(nullptr, [](void*) {});
    if (!slots_[slot])
      slots_[slot] = Slot(new T(), [](void* buffers) { delete static_cast<T*>(buffers); });
    return *static_cast<T*>(slots_[slot].get());
  }

  static inline thread_local Workspace* current_ = nullptr;
  static inline std::atomic<std::size_t> n_slots_{0};

  Workspace* outer_;
  std::vector<Slot> slots_;
};

}  // namespace aslant
