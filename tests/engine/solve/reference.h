// The problem of ODE's exact step, from its joints' rows, solved with one dense matrix in long double.
#pragma once

#include <ode/ode.h>

#include <vector>

typedef long double Real;

// Velocities after the step of all bodies (linear, then angular); false: no solution was found, or the
// problem has several (rows depend on each other, without softness).
bool reference_step(dWorldID world, const std::vector<dBodyID> &bodies, double h,
                    std::vector<Real> &velocities);
