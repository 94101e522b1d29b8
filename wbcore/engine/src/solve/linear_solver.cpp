// Solves the equations of an island for the places that its rows have.
#include "linear_solver.h"

#include <algorithm>
#include <cmath>

namespace wb::solve {
namespace {

void set_springs(Equations &eq) {
  for (int32_t r : eq.springs) {
    Row &row = eq.rows[r];
    if (row.place == Place::free) row.x = (row.rhs - along(row.child, eq.nodes[row.node].a)) * row.stiffness;
  }
}

}  // namespace

void LinearSolver::solve(Equations &eq) {
  closing_.push(eq);
  trees_.factor(eq);
  trees_.substitute(eq);
  closing_.solve(eq, trees_);
  set_springs(eq);
  ++solutions;
}

// Elimination without pivoting loses as many digits as a diagonal shrinks; few systems lose ones that matter.
// The error after a correction is about the square of the correction's share of the result.
void LinearSolver::refine(Equations &eq) {
  constexpr int kMost = 4;
  constexpr double kSmall = 1e-8, kHarmless = 1e3;
  if (eq.closing.empty() && trees_.growth(eq) < kHarmless) return;
  for (int i = 0; i < kMost; ++i)
    if (correct(eq) < kSmall) return;
}

// Returns the largest change of an acceleration, as a share of the largest acceleration.
double LinearSolver::correct(Equations &eq) {
  put_residuals(eq);
  before_.clear();
  for (const Node &n : eq.nodes) before_.insert(before_.end(), n.a, n.a + 6);
  closing_.correct(eq, trees_, bodies_.data(), rows_.data());
  set_springs(eq);
  double change = 0, largest = 0;
  for (size_t at = 0; at < eq.nodes.size(); ++at)
    for (size_t i = 0; i < 6; ++i) {
      const double a = eq.nodes[at].a[i];
      change = std::max(change, std::fabs(a - before_[at * 6 + i]));
      largest = std::max(largest, std::fabs(a));
    }
  return largest > 0 ? change / largest : 0;
}

// What the bodies' equations lack in force and the free rows' in acceleration.
void LinearSolver::put_residuals(Equations &eq) {
  bodies_.assign(eq.nodes.size() * 16, 0);
  if (rows_.size() < eq.rows.size()) rows_.resize(eq.rows.size());
  for (size_t at = 0; at < eq.nodes.size(); ++at) {
    const Node &n = eq.nodes[at];
    double *b = &bodies_[at * 16];
    const double *a = n.a, *i = n.inertia;
    for (int k = 0; k < 3; ++k) b[k] += n.outer[k] - n.mass * a[k];
    b[3] += n.outer[3] - (i[0] * a[3] + i[1] * a[4] + i[2] * a[5]);
    b[4] += n.outer[4] - (i[1] * a[3] + i[3] * a[4] + i[4] * a[5]);
    b[5] += n.outer[5] - (i[2] * a[3] + i[4] * a[4] + i[5] * a[5]);
  }
  for (size_t r = 0; r < eq.row_count; ++r) {
    const Row &row = eq.rows[r];
    add_scaled(&bodies_[static_cast<size_t>(row.node) * 16], row.child, row.x);
    if (row.other != kNothing) add_scaled(&bodies_[static_cast<size_t>(row.other) * 16], row.parent, row.x);
    rows_[r] = row.place == Place::free ? -eq.w_of(row) : 0;
  }
}

}  // namespace wb::solve
