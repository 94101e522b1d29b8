// Solves one island of an ODE world under the law of contact "precise".
#pragma once

struct dxStepperProcessingCallContext;

namespace wb::precise {

// Moves the bodies of an island by a step. Returns false if forces are only approximate.
bool step_island(const dxStepperProcessingCallContext &island);

}  // namespace wb::precise
