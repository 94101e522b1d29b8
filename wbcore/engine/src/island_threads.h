// Runs ODE's islands on several threads with the same bits as on one.
#pragma once

#include <ode/ode.h>
#include <ode/threading.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace wb {

// The threading implementation of one ODE world. ODE posts one job per thread, and each job takes one island
// after another. Everything that a job posts runs on the job's own thread in a fixed order, so the arithmetic
// of an island does not depend on the number of threads.
class IslandThreads {
 public:
  explicit IslandThreads(dWorldID world);
  ~IslandThreads();
  IslandThreads(const IslandThreads &) = delete;
  IslandThreads &operator=(const IslandThreads &) = delete;

  // Number of threads of the following steps, 1 or more. Threads start when first needed and sleep between
  // steps. Not for the iterative solver, whose random order depends on the order of the islands.
  void use(uint32_t threads);
  uint32_t in_use() const { return active_; }

 private:
  struct Call;
  struct Lane;
  struct Crew;
  friend struct ThreadingFunctions;

  Lane &lane();
  void post(Call *&posted, size_t waits_for, Call *dependent, int *fault, dThreadedCallFunction *run,
            void *context, dcallindex_t index);
  void add_waits(Call *call, ddependencychange_t change);
  void finish(Lane &lane, Call *call);
  void drain(Lane &lane);
  void run();
  void merge_reports();
  void start_crew(uint32_t workers);
  void leave_crew_of_parent();

  uint32_t active_ = 1, next_lane_ = 0;
  std::deque<Lane> lanes_;
  std::unique_ptr<Crew> crew_;
};

}  // namespace wb
