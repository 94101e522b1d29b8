// Restitution that never adds energy.
#include "restitution.h"

#include <algorithm>
#include <cmath>

namespace wb::precise {
namespace {

double mean_rate(const Six &j, const Mover &mover, const Six &after) {
  // gyroscopic torques have no energy of position: the spin after them counts
  Six start = mover.before;
  std::copy(mover.free.begin() + 3, mover.free.end(), start.begin() + 3);
  return product(j, start) + 0.5 * (product(j, after) - product(j, mover.free));
}

// How much a step with the impulses of the contacts adds to the energy, that of positions in the fields of
// all forces included. With velocities v before the step, v + a without and v + a + q with the impulses, it
// is (q, v) + (q, q) / 2 - (a, a) / 2, since positions advance with the last velocities. Impulses of joints
// and the part of `a` that turns bodies do not count.
double added_energy(const Problem &problem) {
  const std::vector<Six> after = problem.velocities();
  double work = 0;
  for (const Mover &m : problem.movers)
    for (int i = 0; i < 3 && m.inverse_mass > 0; ++i)
      work -= (m.free[i] - m.before[i]) * (m.free[i] - m.before[i]) / (2 * m.inverse_mass);
  for (uint32_t r = problem.of_joints; r < problem.size(); ++r) {
    const Row &row = problem.rows[r];
    double mean = 0;
    for (int side = 0; side < 2; ++side)
      if (row.bodies[side] != kWorld)
        mean += mean_rate(row.j[side], problem.movers[row.bodies[side]], after[row.bodies[side]]);
    work += problem.impulses[r] * mean;
  }
  return work;
}

void blend(const std::vector<double> &without, const std::vector<double> &with, double share,
           std::vector<double> &impulses) {
  for (size_t i = 0; i < impulses.size(); ++i) impulses[i] = without[i] + share * (with[i] - without[i]);
}

// The greatest share s in 0 to 1 with a s^2 + b s + c <= 0; 0 if there is none.
double greatest_share(double a, double b, double c) {
  if (c > 0 || a <= 0) return 0;
  return std::clamp((-b + std::sqrt(std::max(b * b - 4 * a * c, 0.0))) / (2 * a), 0.0, 1.0);
}

}  // namespace

// The cones are convex: a blend of two allowed sets of impulses is allowed. Its work is a quadratic function
// of the share.
bool solve_with_restitution(Problem &problem, bool (*solve)(Problem &)) {
  const bool converged = solve(problem);
  if (!problem.bounces) return converged;
  const double whole = added_energy(problem);
  if (whole <= 0) return converged;
  const std::vector<double> with = problem.impulses;
  for (const Contact &c : problem.contacts) problem.rows[c.normal].target = c.gap_target;
  const bool also = solve(problem);
  const std::vector<double> without = problem.impulses;
  const double none = added_energy(problem);
  blend(without, with, 0.5, problem.impulses);
  const double half = added_energy(problem);
  const double square = 2 * (whole + none - 2 * half);
  blend(without, with, greatest_share(square, whole - none - square, none), problem.impulses);
  return converged && also;
}

}  // namespace wb::precise
