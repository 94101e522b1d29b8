// Large islands: relaxation on the velocities of the bodies.
#include "sweeps.h"

#include "relaxation.h"

namespace wb::precise {
namespace {

constexpr int kMostSweeps = 150;
constexpr double kEnough = 1e-7;  // change of a sweep, as a share of the typical speed
constexpr double kAcceptable = 1e-2;

class Velocities {
 public:
  explicit Velocities(Problem &problem) : problem_(problem), velocities_(problem.velocities()) {}

  uint32_t of_joints() const { return problem_.of_joints; }
  const std::vector<Contact> &contacts() const { return problem_.contacts; }
  const Row &row(uint32_t r) const { return problem_.rows[r]; }
  double impulse(uint32_t r) const { return problem_.impulses[r]; }
  double error(uint32_t r) const {
    const Row &row = problem_.rows[r];
    return rate(row, velocities_) + row.softness * problem_.impulses[r] - row.target;
  }
  void push(uint32_t r, double impulse) {
    const Row &row = problem_.rows[r];
    problem_.impulses[r] += impulse;
    for (int side = 0; side < 2; ++side) {
      if (row.bodies[side] == kWorld) continue;
      Six &v = velocities_[row.bodies[side]];
      for (int i = 0; i < 6; ++i) v[i] += row.response[side][i] * impulse;
    }
  }

 private:
  Problem &problem_;
  std::vector<Six> velocities_;
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

}  // namespace

bool solve_by_sweeps(Problem &problem) {
  scale_discs(problem);
  Velocities velocities(problem);
  Relaxation relaxation(velocities);
  double change = 0;
  for (int i = 0; i < kMostSweeps; ++i) {
    change = relaxation.sweep();
    if (change <= kEnough * problem.speed) break;
  }
  return change <= kAcceptable * problem.speed;
}

}  // namespace wb::precise
