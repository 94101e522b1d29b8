// ODE's exact solver, compiled for AVX2 beside the usual one.
#pragma once

#include "../platform/vector.h"

// GCC for Windows does not align the stack for vectors of 256 bits (its bug 54412).
#if WBRIDGE_HAS_WIDE && !defined(_WIN32)
#define WBRIDGE_HAS_WIDE_STEP 1
#else
#define WBRIDGE_HAS_WIDE_STEP 0
#endif

struct dxStepperProcessingCallContext;

namespace wb {

#if WBRIDGE_HAS_WIDE_STEP
// As dxStepIsland, with the same operations in the same order, and so the same bits. Only for processors with
// AVX2.
void step_island_wide(const dxStepperProcessingCallContext *call);
#endif

}  // namespace wb
