// Steps of worlds in the installed ODE, whose islands cannot be solved one by one.
#include "../island_threads.h"

#include <ode/threading_impl.h>

namespace wb {

// ODE's threading implementation of one world: those of two worlds may run at the same time.
struct IslandThreads::Crew {
  explicit Crew(dWorldID world) : world(world) { take_new(); }
  ~Crew() { dThreadingFreeImplementation(own); }

  void take_new() {
    own = dThreadingAllocateSelfThreadedImplementation();
    dWorldSetStepThreadingImplementation(world, dThreadingImplementationGetFunctions(own), own);
  }

  // An exception of an error handler leaves calls in the implementation, which then stays in memory, unused.
  bool step(int (*function)(dWorldID, dReal), double dt) try {
    return function(world, dt) != 0;
  } catch (...) {
    take_new();
    throw;
  }

  dWorldID world;
  dThreadingImplementationID own = nullptr;
};

IslandThreads::IslandThreads(dWorldID world) : crew_(std::make_unique<Crew>(world)) {}
IslandThreads::~IslandThreads() = default;

void IslandThreads::use(uint32_t) {}
uint32_t IslandThreads::in_use() const { return 1; }

// It needs ODE's own functions.
void IslandThreads::use_sparse_solver(bool) {}
void IslandThreads::use_awake(bool, uint64_t) {}

bool IslandThreads::step_exactly(double dt) { return crew_->step(dWorldStep, dt); }
bool IslandThreads::step_iteratively(double dt) { return crew_->step(dWorldQuickStep, dt); }
bool IslandThreads::step_precisely(double, uint32_t &, uint32_t &) { return false; }
bool IslandThreads::prepare() { return crew_->step(dWorldStep, 1); }

}  // namespace wb
