// The problem of ODE's exact step, from its joints' rows, solved with one dense matrix.
#pragma once

#include <ode/ode.h>

#include <vector>

typedef long double Long;
#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Longest;  // of 113 bits, ten times as slow
#else
typedef long double Longest;
#endif

// Velocities after the step of all bodies (linear, then angular); false: no solution was found, or the
// problem has several (rows depend on each other, without softness).
template <class Real>
bool reference_step(dWorldID world, const std::vector<dBodyID> &bodies, double h,
                    std::vector<Real> &velocities);
