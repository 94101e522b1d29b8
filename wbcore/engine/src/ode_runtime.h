// ODE's process-wide state: initialization, per-thread data, messages and the seed of its random numbers.
#pragma once

#include <ode/ode.h>

#include <string>
#include <vector>

#include "island_threads.h"

namespace wb {

// Release of ODE, whether it was compiled with this engine or is the installed library, and what makes state
// hashes of this build differ from those of others.
inline constexpr const char *kOdeVersion = WBRIDGE_ODE_VERSION;
inline constexpr bool kHasOwnOde = WBRIDGE_HAS_OWN_ODE;
inline constexpr const char *kBuildNote = WBRIDGE_BUILD_NOTE;

// ODE's data of one thread.
struct OdeThread {
  bool prepared = false;
  std::vector<std::string> *log = nullptr;  // receives ODE's messages
  // How often the exact solver failed. The result of such a step is invalid.
  unsigned long exact_failures = 0;
  // How often the sparse solver found no solution, so that the exact one solved the island.
  unsigned long sparse_failures = 0;
};

// Starts ODE once and prepares the calling thread; cheap when already done.
OdeThread &enter_ode();

// Directs ODE's messages of this thread to `log` during this object's lifetime (newest last, a bounded
// number).
class MessageScope {
 public:
  MessageScope(OdeThread &thread, std::vector<std::string> *log) : thread_(thread), previous_(thread.log) {
    thread.log = log;
  }
  ~MessageScope() { thread_.log = previous_; }
  MessageScope(const MessageScope &) = delete;
  MessageScope &operator=(const MessageScope &) = delete;

 private:
  OdeThread &thread_;
  std::vector<std::string> *previous_;
};

// Moves messages to the end of the log of `thread`, if it has one.
void pass_on(std::vector<std::string> &messages, OdeThread &thread);

// Runs the iterative solver with `seed` as ODE's seed and stores the resulting seed. ODE's seed is global, so
// only one thread runs at a time; worlds stay independent of each other.
bool quick_step(IslandThreads &world, double dt, unsigned long &seed);

// dCollide for worlds in several threads: triangle meshes take turns, because their buffers exist once per
// process unless ODE was built with thread-local ones.
int collide_in_turn(dGeomID a, dGeomID b, int flags, dContactGeom *found);

}  // namespace wb
