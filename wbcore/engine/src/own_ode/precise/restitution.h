// Restitution that never adds energy.
#pragma once

#include "problem.h"

namespace wb::precise {

// Solves a problem with restitution, and reduces the restitution if the contacts would do work.
bool solve_with_restitution(Problem &problem, bool (*solve)(Problem &));

}  // namespace wb::precise
