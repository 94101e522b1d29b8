// One step of an ODE world in parts, with functions that ODE has for itself: the bodies of dWorldStep and
// dWorldQuickStep without the calls that ODE would post to threads.
#include "island_step.h"

#include <ode/ode.h>

#include <new>

#include "../solve/sparse_step.h"
#include "config.h"
#include "objects.h"
#include "quickstep.h"
#include "step.h"
#include "util.h"
#include "wide_step.h"

namespace wb {

IslandMemory::~IslandMemory() {
  if (arena_) dxWorldProcessMemArena::FreeMemArena(arena_);
}

void IslandMemory::fit(dxWorldProcessMemArena *other) {
  arena_ = dxWorldProcessMemArena::ReallocateMemArena(arena_, other->GetMemorySize(),
                                                      &g_WorldProcessMallocMemoryManager, 1, 0);
  if (!arena_) throw std::bad_alloc();
}

namespace {

// The law "precise" has memory of its own.
dsizeint no_memory(dxBody *const *, unsigned, dxJoint *const *, unsigned) { return 0; }

void step_densely(const dxStepperProcessingCallContext &call) {
#if WBRIDGE_HAS_WIDE_STEP
  if (simd() >= Simd::wide) return step_island_wide(&call);
#endif
  dxStepIsland(&call);
}

}  // namespace

IslandStep::IslandStep(dWorldID world, double dt, OdeSolver solver, std::vector<Island> &islands)
    : world_(world), dt_(dt), solver_(solver), islands_(islands) {
  dxWorldProcessIslandsInfo info;
  const auto estimate = solver == OdeSolver::precise     ? no_memory
                        : solver == OdeSolver::iterative ? dxEstimateQuickStepMemoryRequirements
                                                         : dxEstimateStepMemoryRequirements;
  if (!dxReallocateWorldProcessContext(world, info, dt, estimate)) throw std::bad_alloc();
  arena_ = world->unsafeGetWorldProcessingContext()->ObtainStepperMemArena();
  const dBodyID *bodies = info.GetBodiesArray();
  const dJointID *joints = info.GetJointsArray();
  const unsigned *sizes = info.GetIslandSizes();
  islands_.clear();
  for (size_t i = 0; i < info.GetIslandsCount(); ++i, sizes += 2) {
    islands_.push_back({bodies, joints, sizes[0], sizes[1]});
    bodies += sizes[0];
    joints += sizes[1];
  }
}

IslandStep::~IslandStep() { world_->unsafeGetWorldProcessingContext()->ReturnStepperMemArena(arena_); }

dxStepperProcessingCallContext IslandStep::context_of(size_t island, dxWorldProcessMemArena *memory) const {
  const Island &at = islands_[island];
  memory->ResetState();
  dxStepperProcessingCallContext call(world_, dt_, 1, memory, at.bodies, at.joints);
  call.AssignIslandSelection(at.bodies, at.joints, at.body_count, at.joint_count);
  return call;
}

precise::Outcome IslandStep::solve_precisely(size_t island) const {
  return precise::step_island(context_of(island, arena_));
}

bool IslandStep::solve(size_t island, dxWorldProcessMemArena *memory) const {
  const dxStepperProcessingCallContext call = context_of(island, memory);
  if (solver_ == OdeSolver::iterative) {
    dxQuickStepIsland(&call);
    return true;
  }
  SparseResult result = SparseResult::declined;
  if (solver_ == OdeSolver::sparse) {
    thread_local SparseStep sparse;
    result = sparse.solve(call);
  }
  if (result != SparseResult::solved) step_densely(call);
  return result != SparseResult::failed;
}

}  // namespace wb
