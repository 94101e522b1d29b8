// Large islands: relaxation row by row and cone by cone on the velocities of the bodies.
#pragma once

#include "problem.h"

namespace wb::precise {

// Solves the problem into its impulses. Returns false if the result is not within the tolerance.
bool solve_by_sweeps(Problem &problem);

}  // namespace wb::precise
