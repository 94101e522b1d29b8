// Large islands: accelerated relaxation on the velocities of the bodies.
#include "sweeps.h"

#include "relaxation.h"

namespace wb::precise {
namespace {

// A limit of sweeps, and the change of a sweep, as a share of the typical speed, that is enough up to it.
// Where contacts jam, impulses hardly settle while velocities are right: the longer it takes, the less is
// asked. What is left at rest shrinks in the next step, which begins with the impulses of this one.
struct Stage {
  int sweeps;
  double enough;
};
constexpr Stage kStages[] = {{20, 1e-5}, {40, 1e-4}, {80, 1e-3}, {3000, 1e-2}};
// Where the direction leads round in circles, a few sweeps without it can end them.
constexpr int kPlainSweeps = 100;

class Velocities {
 public:
  explicit Velocities(Problem &problem) : problem_(problem) {
    for (const Six &v : problem.velocities()) velocities_.insert(velocities_.end(), v.begin(), v.end());
  }

  uint32_t of_joints() const { return problem_.of_joints; }
  const std::vector<Contact> &contacts() const { return problem_.contacts; }
  const Row &row(uint32_t r) const { return problem_.rows[r]; }
  double impulse(uint32_t r) const { return problem_.impulses[r]; }
  double error(uint32_t r) const {
    const Row &row = problem_.rows[r];
    double sum = row.softness * problem_.impulses[r] - row.target;
    for (int side = 0; side < 2; ++side) {
      if (row.bodies[side] == kWorld) continue;
      const double *v = &velocities_[6 * size_t{row.bodies[side]}];
      for (int i = 0; i < 6; ++i) sum += row.j[side][i] * v[i];
    }
    return sum;
  }
  void push(uint32_t r, double impulse) {
    const Row &row = problem_.rows[r];
    problem_.impulses[r] += impulse;
    for (int side = 0; side < 2; ++side) {
      if (row.bodies[side] == kWorld) continue;
      double *v = &velocities_[6 * size_t{row.bodies[side]}];
      for (int i = 0; i < 6; ++i) v[i] += row.response[side][i] * impulse;
    }
  }
  std::vector<double> &impulses() { return problem_.impulses; }
  std::vector<double> &state() { return velocities_; }

 private:
  Problem &problem_;
  std::vector<double> velocities_;  // six for each body
};

void scale_discs(Problem &problem) {
  for (const Contact &c : problem.contacts)
    for (uint32_t d = 0; d < c.disc_count; ++d) {
      if (c.discs[d].size != 2) continue;
      Row &first = problem.rows[c.discs[d].first], &second = problem.rows[c.discs[d].first + 1];
      first.diagonal = second.diagonal =
          greatest_eigenvalue(first.diagonal, coupling(first, second), second.diagonal);
    }
}

bool settle(Problem &problem) {
  Velocities velocities(problem);
  Acceleration acceleration(velocities);
  int sweeps = 0;
  for (const Stage &stage : kStages)
    for (; sweeps < stage.sweeps; ++sweeps)
      if (acceleration.sweep() <= stage.enough * problem.speed) return true;
  Relaxation relaxation(velocities);
  for (int i = 0; i < kPlainSweeps; ++i)
    if (relaxation.sweep() <= kStages[3].enough * problem.speed) return true;
  return false;
}

}  // namespace

// The diagonals are the matrix's again afterwards.
bool solve_by_sweeps(Problem &problem) {
  std::vector<double> diagonals;
  for (const Row &row : problem.rows) diagonals.push_back(row.diagonal);
  scale_discs(problem);
  const bool settled = settle(problem);
  for (uint32_t r = 0; r < problem.size(); ++r) problem.rows[r].diagonal = diagonals[r];
  return settled;
}

}  // namespace wb::precise
