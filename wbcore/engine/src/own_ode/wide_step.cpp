// Compiles ODE's sources of the exact solver a second time, for AVX2, with substitutions that use its
// vectors.
#include "wide_step.h"

#if WBRIDGE_HAS_WIDE_STEP

// What the sources define gets names of its own, or both copies would be one for the linker.
#define ODE_API
#define dxStepIsland wide_dxStepIsland
#define dxEstimateStepMaxCallCount wide_dxEstimateStepMaxCallCount
#define dxEstimateStepMemoryRequirements wide_dxEstimateStepMemoryRequirements
#define dxSolveLCP wide_dxSolveLCP
#define dxEstimateSolveLCPMemoryReq wide_dxEstimateSolveLCPMemoryReq
#define dTestSolveLCP wide_dTestSolveLCP
#define dLCP wide_dLCP
#define dxDot wide_dxDot
#define solveL1Straight wide_solveL1Straight
#define solveL1Transposed wide_solveL1Transposed
#define factorMatrixAsLDLT wide_factorMatrixAsLDLT
#define solveEquationSystemWithLDLT wide_solveEquationSystemWithLDLT
#define calculateLargeVectorDot wide_calculateLargeVectorDot
#define scaleLargeVector wide_scaleLargeVector
#define scaleAndFactorizeL1Stripe_1 wide_scaleAndFactorizeL1Stripe_1
#define scaleAndFactorizeL1Stripe_2 wide_scaleAndFactorizeL1Stripe_2
#define scaleAndFactorizeL1FirstRowStripe_1 wide_scaleAndFactorizeL1FirstRowStripe_1
#define scaleAndFactorizeL1FirstRowStripe_2 wide_scaleAndFactorizeL1FirstRowStripe_2
#define ThreadedEquationSolverLDLT wide_ThreadedEquationSolverLDLT

// Functions of headers serve all processors, so the headers come before the change of the target.
#include <immintrin.h>
#include <ode/ode.h>
#include <ode/timer.h>

#include <cstddef>
#include <new>

#include "config.h"
#include "joints/joint.h"
#include "lcp.h"
#include "mat.h"
#include "matrix.h"
#include "objects.h"
#include "odemath.h"
#include "step.h"
#include "threaded_solver_ldlt.h"
#include "threadingutils.h"
#include "util.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#include "fastlsolve_impl.h"
#include "fastltsolve_impl.h"
#include "wide_triangles.h"

namespace {

template <unsigned stride>
void solve_straight(const dReal *l, dReal *x, unsigned count, unsigned skip) {
  if (stride == 1 && wb::fits(count))
    wb::solve_lower(l, x, count, skip);
  else
    solveL1Straight<stride>(l, x, count, skip);
}

template <unsigned stride>
void solve_transposed(const dReal *l, dReal *x, unsigned count, unsigned skip) {
  if (stride == 1 && wb::fits(count))
    wb::solve_lower_transposed(l, x, count, skip);
  else
    solveL1Transposed<stride>(l, x, count, skip);
}

}  // namespace

#undef solveL1Straight
#undef solveL1Transposed
#define solveL1Straight solve_straight
#define solveL1Transposed solve_transposed
#include "lcp.cpp"
#include "step.cpp"

dReal dxDot(const dReal *a, const dReal *b, unsigned n) { return calculateLargeVectorDot<1>(a, b, n); }
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace wb {

void step_island_wide(const dxStepperProcessingCallContext *call) { wide_dxStepIsland(call); }

}  // namespace wb

#endif
