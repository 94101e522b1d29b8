// ODE's exact solver, compiled for AVX2 beside the usual one.
#pragma once

#include "../platform/vector.h"

struct dxStepperProcessingCallContext;

namespace wb {

#if WBRIDGE_HAS_WIDE
// As dxStepIsland, with the same operations in the same order, and so the same bits. Only for processors with
// AVX2.
void step_island_wide(const dxStepperProcessingCallContext *call);
#endif

}  // namespace wb
