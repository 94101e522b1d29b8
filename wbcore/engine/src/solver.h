// Chooses per island between ODE's exact and its iterative solver.
#pragma once

#include <ode/ode.h>

#include <cstdint>
#include <vector>

namespace wb {

struct StepStatistics {
  uint32_t islands = 0, largest_rows = 0, quick_islands = 0, contacts = 0, awake = 0;
};

// A constraint between two bodies (numbers into the solver's list; none: the world) with its number of rows.
struct Link {
  uint32_t a, b;
  uint32_t rows;
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
  uint32_t add_body(dBodyID body, bool awake);
  void add_link(const Link &link);
  // Steps the world: exactly where an island has at most `limit` rows, else iteratively.
  bool step(dWorldID world, double dt, uint32_t limit, unsigned long &seed, StepStatistics &statistics);

 private:
  struct Member {
    dBodyID body;
    uint32_t root, rows;
    bool awake;
  };
  uint32_t find(uint32_t member);
  void join(uint32_t a, uint32_t b);
  void count(uint32_t limit, StepStatistics &statistics);
  bool step_both(dWorldID world, double dt, uint32_t limit, unsigned long &seed);
  bool large(uint32_t member, uint32_t limit) { return members_[find(member)].rows > limit; }

  std::vector<Member> members_;
  std::vector<uint32_t> numbers_;
};

}  // namespace wb
