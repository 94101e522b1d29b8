// Chooses between ODE's exact and its iterative solver for each island.
#pragma once

#include <ode/ode.h>

#include <array>
#include <cstdint>
#include <vector>

#include "body.h"
#include "island_threads.h"
#include "ode_runtime.h"

namespace wb {

struct StepStatistics {
  uint32_t rows = 0, islands = 0, largest_rows = 0, quick_islands = 0, contacts = 0, awake = 0, fallbacks = 0,
           yielded = 0;
};

// A constraint between two bodies (indices in the solver's list; none: the world) with its number of rows.
struct Link {
  uint32_t a, b;
  uint32_t rows;
  bool contact;
};

// Limits of the exact solver, whose time grows with the cube of the rows. Islands with joints (robots) are
// checked one by one. Piles of loose bodies share the time of one pile of `heap_rows`: they are solved
// exactly from the smallest on, as many as fit.
struct ExactLimits {
  uint32_t rows, heap_rows;
};

// What a step works with. `threads`: the maximum number of threads of the exact solver.
// `sparse`: whether that is the sparse one.
struct StepContext {
  const OdeThread &thread;
  IslandThreads &islands;
  uint32_t threads;
  bool sparse;
  double dt;
  unsigned long &seed;
  StepStatistics &statistics;
};

class Solver {
 public:
  static constexpr uint32_t kWorld = 0xffffffffu;

  // Buffer for the caller's indices of `n` bodies, reused in every step.
  std::vector<uint32_t> &numbers(uint32_t n) {
    numbers_.resize(n, kWorld);
    return numbers_;
  }

  // Bodies are added in a fixed order; returns the number to use in links.
  void begin();
  uint32_t add_body(const Body &body);
  void add_link(const Link &link);
  bool step(const StepContext &context, const ExactLimits &limits);

  // Steps all awake bodies with the exact solver; if it fails, with the iterative one.
  bool step_exact(const StepContext &context);

 private:
  struct Member {
    const Body *body;
    uint32_t root, rows;
    bool awake, jointed, large;  // of the island; valid in its root member
  };
  uint32_t find(uint32_t member);
  void join(uint32_t a, uint32_t b);
  void choose(const ExactLimits &limits);
  void count(StepStatistics &statistics) const;
  uint32_t worthwhile_threads(const StepContext &context) const;
  bool exact_pass(const StepContext &context);
  bool quick_pass(const StepContext &context);
  bool step_both(const StepContext &context);

  // The state of a body that a step changes.
  struct Motion {
    dBodyID body;
    bool awake;
    std::array<dReal, 3> position, linear, angular, force, torque;
    std::array<dReal, 4> orientation;
  };
  void remember();
  void go_back() const;

  std::vector<Member> members_;
  std::vector<Motion> motions_;  // of which the first `motion_count_` are those of this step
  size_t motion_count_ = 0;
  std::vector<uint32_t> numbers_, heaps_;
};

}  // namespace wb
