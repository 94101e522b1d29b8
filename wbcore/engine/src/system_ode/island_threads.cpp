// Steps of worlds in the installed ODE, whose islands cannot be solved one by one.
#include "../island_threads.h"

#include <ode/threading_impl.h>

namespace wb {

// ODE's threading implementation of one world: those of two worlds may run at the same time.
struct IslandThreads::Crew {
  explicit Crew(dWorldID world) : world(world), own(dThreadingAllocateSelfThreadedImplementation()) {
    dWorldSetStepThreadingImplementation(world, dThreadingImplementationGetFunctions(own), own);
  }
  ~Crew() { dThreadingFreeImplementation(own); }
  dWorldID world;
  dThreadingImplementationID own;
};

IslandThreads::IslandThreads(dWorldID world) : crew_(std::make_unique<Crew>(world)) {}
IslandThreads::~IslandThreads() = default;

void IslandThreads::use(uint32_t) {}
uint32_t IslandThreads::in_use() const { return 1; }

bool IslandThreads::step_exactly(double dt) { return dWorldStep(crew_->world, dt) != 0; }
bool IslandThreads::step_iteratively(double dt) { return dWorldQuickStep(crew_->world, dt) != 0; }
bool IslandThreads::prepare() { return dWorldStep(crew_->world, 1) != 0; }

}  // namespace wb
