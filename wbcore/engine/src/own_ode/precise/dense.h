// Small islands: a dense matrix, of which the rows of joints without bounds are eliminated directly, and a
// nonsmooth Newton method for the rest.
#pragma once

#include "problem.h"

namespace wb::precise {

// Solves the problem into its impulses. Returns false if the result is not within the tolerance.
bool solve_dense(Problem &problem);

}  // namespace wb::precise
