// What threads need that wait for the next piece of work.
#pragma once

#include <atomic>
#include <thread>

namespace wb {

// Waits until a number is not `seen`. Waking a thread takes as long as a small step, so it looks a few times
// (tens of microseconds) before it sleeps, and lets other threads run in between.
inline void await_change(const std::atomic<int> &number, int seen) {
  for (int i = 0; i < 100; ++i) {
    if (number.load(std::memory_order_acquire) != seen) return;
    std::this_thread::yield();
  }
  number.wait(seen);
}

}  // namespace wb
