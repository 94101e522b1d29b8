// Chooses per island between ODE's exact and its iterative solver.
#pragma once

#include <ode/ode.h>

#include <array>
#include <cstdint>
#include <vector>

#include "body.h"
#include "ode_runtime.h"

namespace wb {

struct StepStatistics {
  uint32_t rows = 0, islands = 0, largest_rows = 0, quick_islands = 0, contacts = 0, awake = 0, fallbacks = 0;
};

// A constraint between two bodies (numbers into the solver's list; none: the world) with its number of rows.
struct Link {
  uint32_t a, b;
  uint32_t rows;
  bool contact;
};

// Which islands the exact solver gets. Its time grows with the cube of the rows. Islands with joints, which
// are robots, go to it one by one. Heaps of loose bodies share the time of one heap of `heap_rows`: from the
// smallest on, as many as fit.
struct ExactLimits {
  uint32_t rows, heap_rows;
};

class Solver {
 public:
  static constexpr uint32_t kWorld = 0xffffffffu;

  // Room for the caller's numbers of `n` bodies, kept from step to step.
  std::vector<uint32_t> &numbers(uint32_t n) {
    numbers_.resize(n, kWorld);
    return numbers_;
  }

  // Bodies are added in a fixed order; returns the number to use in links.
  void begin();
  uint32_t add_body(const Body &body);
  void add_link(const Link &link);
  bool step(const OdeThread &thread, dWorldID world, double dt, const ExactLimits &limits,
            unsigned long &seed, StepStatistics &statistics);

  // Steps all awake bodies by the exact solver; where that gives up, by the iterative one.
  bool step_exact(const OdeThread &thread, dWorldID world, double dt, unsigned long &seed,
                  StepStatistics &statistics);

 private:
  struct Member {
    const Body *body;
    uint32_t root, rows;
    bool awake, jointed, large;  // of the island, where the member is its root
  };
  uint32_t find(uint32_t member);
  void join(uint32_t a, uint32_t b);
  void choose(const ExactLimits &limits);
  void count(StepStatistics &statistics) const;
  bool step_both(const OdeThread &thread, dWorldID world, double dt, unsigned long &seed,
                 StepStatistics &statistics);

  // What a step changes of a body.
  struct Motion {
    dBodyID body;
    std::array<dReal, 3> position, linear, angular, force, torque;
    std::array<dReal, 4> orientation;
  };
  void remember();
  void go_back() const;

  std::vector<Member> members_;
  std::vector<Motion> motions_;
  std::vector<uint32_t> numbers_, heaps_;
};

}  // namespace wb
