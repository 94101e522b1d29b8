// Small islands: direct elimination of joints, and a nonsmooth Newton method for bounds and cones.
#include "dense.h"

#include "cones.h"
#include "elimination.h"

namespace wb::precise {

bool solve_dense(Problem &problem) {
  Elimination elimination(problem);
  Cones cones(problem, elimination.rest());
  const bool converged = cones.solve();
  for (uint32_t i = 0; i < cones.size(); ++i) problem.impulses[problem.unbounded + i] = cones.impulse(i);
  elimination.complete(problem.impulses);
  return converged;
}

}  // namespace wb::precise
