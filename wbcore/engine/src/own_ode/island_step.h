// One step of an ODE world in parts: its islands are found first, and then solved one by one.
#pragma once

#include <ode/ode.h>

#include <cstddef>
#include <vector>

#include "precise/island.h"

class dxWorldProcessMemArena;

namespace wb {

// The sparse solver leaves some islands to the exact one, whose problem it solves.
enum class OdeSolver { sparse, exact, iterative, precise };

// What ODE's solver works in, for one island at a time.
class IslandMemory {
 public:
  IslandMemory() = default;
  ~IslandMemory();
  IslandMemory(const IslandMemory &) = delete;
  IslandMemory &operator=(const IslandMemory &) = delete;

  // Grows to the size of another one.
  void fit(dxWorldProcessMemArena *other);
  dxWorldProcessMemArena *arena() const { return arena_; }

 private:
  dxWorldProcessMemArena *arena_ = nullptr;
};

class IslandStep {
 public:
  struct Island {
    const dBodyID *bodies;
    const dJointID *joints;
    unsigned body_count, joint_count;
  };

  // Finds the islands of the bodies that are awake, and writes them into `islands`, which keeps its memory
  // from step to step. They and the working memory are valid until the next step of a world with the same
  // working memory. Failures throw std::bad_alloc.
  IslandStep(dWorldID world, double dt, OdeSolver solver, std::vector<Island> &islands);
  ~IslandStep();
  IslandStep(const IslandStep &) = delete;
  IslandStep &operator=(const IslandStep &) = delete;

  size_t count() const { return islands_.size(); }

  // The working memory of the world itself, which fits each island.
  dxWorldProcessMemArena *arena() const { return arena_; }

  // Solves an island: velocities and poses of its bodies are those at the end of the step. The sparse solver
  // works in memory of the thread; false: it found no solution, and the exact solver solved the island.
  bool solve(size_t island, dxWorldProcessMemArena *memory) const;

  // The same under the law of contact "precise".
  precise::Outcome solve_precisely(size_t island) const;

 private:
  dxStepperProcessingCallContext context_of(size_t island, dxWorldProcessMemArena *memory) const;

  dWorldID world_;
  double dt_;
  OdeSolver solver_;
  dxWorldProcessMemArena *arena_;
  std::vector<Island> &islands_;
};

}  // namespace wb
