// Basic steps that inline controllers make by themselves while nobody observes the run.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <utility>

#include "../bind_world.h"
#include "../sense/sample_pass.h"

namespace wb {

// The time (ms) at a number of steps, by the same operations as wbridge.wbcore.physics.clock.
struct Timing {
  double before = 0;
  uint64_t since = 0;
  double dt = 0;

  double at(uint64_t steps) const { return (before + static_cast<double>(steps - since) * dt) * 1000; }

  // The first number of steps, after `now`, at which a time (ms) is reached.
  uint64_t end_at(double due, uint64_t now) const {
    const double about = (due / 1000 - before) / dt - 1;
    uint64_t end = std::max(now + 1, since + static_cast<uint64_t>(std::max(about, 0.0)));
    while (at(end) < due - kSlack) ++end;
    return end;
  }
};

class FreeSteps {
 public:
  // Allows `steps` basic steps within `seconds` of real time.
  void open(uint64_t steps, double seconds) {
    left_ = steps;
    const std::chrono::duration<double> allowed(seconds);
    until_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(allowed);
  }

  void close() { left_ = 0; }
  uint64_t left() const { return left_; }
  bool is_time_over() const { return Clock::now() >= until_; }

  // Makes a step; false if it fails (see `raise_failure`).
  bool advance(World &world) {
    try {
      if (world.small()) {
        world.step(1);
      } else {
        nb::gil_scoped_release release;
        world.step(1);
      }
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
    ++made;
    --left_;
    return true;
  }

  void raise_failure() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  uint64_t made = 0;

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point until_;
  uint64_t left_ = 0;
  std::exception_ptr failure_;
};

}  // namespace wb
