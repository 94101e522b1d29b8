// Solves one island of an ODE world under the law of contact "precise".
#pragma once

#include <cstdint>

struct dxStepperProcessingCallContext;

namespace wb::precise {

// What became of an island: its equations hold; they had no solution, so that its contacts yielded; or forces
// are only approximate.
enum class Outcome : uint8_t { solved, yielded, approximate };

// Moves the bodies of an island by a step.
Outcome step_island(const dxStepperProcessingCallContext &island);

}  // namespace wb::precise
