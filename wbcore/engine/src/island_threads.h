// Runs ODE's islands on several threads with the same bits as on one.
#pragma once

#include <ode/ode.h>

#include <cstdint>
#include <memory>

namespace wb {

// Steps one ODE world. An island is solved by one thread in a fixed order, so its arithmetic does not depend
// on the number of threads. An engine that is linked with the installed ODE always has one thread.
class IslandThreads {
 public:
  explicit IslandThreads(dWorldID world);
  ~IslandThreads();
  IslandThreads(const IslandThreads &) = delete;
  IslandThreads &operator=(const IslandThreads &) = delete;

  // Number of threads of the following exact steps, 1 or more. Threads start when first needed and sleep
  // between steps.
  void use(uint32_t threads);
  uint32_t in_use() const;

  // Whether exact steps solve islands along their trees of bodies where that pays, or with ODE's dense matrix
  // alone.
  void use_sparse_solver(bool on);

  // Of the following steps: `sleepers_apart` says that no joint connects a body that sleeps with one that is
  // awake. Then a step looks only at those that are awake. `version` changes when a body is added, removed,
  // wakes or falls asleep.
  void use_awake(bool sleepers_apart, uint64_t version);

  // dWorldStep and dWorldQuickStep. False: ODE has no memory. The iterative solver always runs on the calling
  // thread, because the order of its random numbers depends on the order of the islands.
  bool step_exactly(double dt);
  bool step_iteratively(double dt);

  // A step under the law of contact "precise", on the calling thread. Adds the numbers of islands whose
  // forces are only approximate, and of those whose contacts yielded. Always false with the installed ODE,
  // which does not have it.
  bool step_precisely(double dt, uint32_t &approximate, uint32_t &yielded);

  // Allocates what ODE keeps with a world's working memory; false: ODE has no memory.
  bool prepare();

 private:
  struct Crew;
  std::unique_ptr<Crew> crew_;
};

}  // namespace wb
