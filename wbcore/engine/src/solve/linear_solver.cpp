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

double largest_of(const double *vector) {
  return larger(larger(std::fabs(vector[0]), std::fabs(vector[1])), std::fabs(vector[2]));
}

// Of all bodies, with those that forces from outside alone would cause: what is in balance is at rest.
double largest_acceleration(const Equations &eq) {
  Greatest largest;
  double caused = 0;
  for (const Node &n : eq.nodes) {
    largest.compare(n.a);
    caused = larger(caused, largest_of(n.outer) / n.mass);
  }
  return larger(caused, largest.value());
}

// A bound of the least principal moment from below.
double least_moment(const double *i) {
  const double trace = i[0] + i[3] + i[5];
  const double determinant = i[0] * (i[3] * i[5] - i[4] * i[4]) - i[1] * (i[1] * i[5] - i[4] * i[2]) +
                             i[2] * (i[1] * i[4] - i[3] * i[2]);
  return 4 * determinant / (trace * trace);
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

// Elimination without pivoting loses as many digits as a diagonal shrinks, at most; few systems lose ones
// that matter. The error after a correction is about the square of the correction's share of the result.
void LinearSolver::refine(Equations &eq) {
  constexpr int kMost = 4;
  constexpr double kSmall = 1e-8, kHarmless = 1e3;
  if (eq.closing.empty() && trees_.growth(eq) < kHarmless) return;
  for (int i = 0; i < kMost; ++i) {
    put_residuals(eq);
    if (lacks_only_rounding(eq) || correct(eq) < kSmall) return;
  }
}

// Whether what the equations lack is too little to matter: as an acceleration, of a body alone or along a
// row.
bool LinearSolver::lacks_only_rounding(const Equations &eq) const {
  constexpr double kRounding = 1e-11;
  double lack = 0;
  for (size_t at = 0; at < eq.nodes.size(); ++at) {
    const Node &n = eq.nodes[at];
    const double *b = &bodies_[at * 16];
    lack = larger(lack, larger(largest_of(b) / n.mass, largest_of(b + 3) / least_moment(n.inertia)));
  }
  Greatest of_rows;
  size_t r = 0;
  for (; r + 6 <= eq.row_count; r += 6) of_rows.compare(&rows_[r]);
  for (; r < eq.row_count; ++r) lack = larger(lack, std::fabs(rows_[r]));
  return larger(lack, of_rows.value()) <= kRounding * largest_acceleration(eq);
}

// Returns the largest change of an acceleration, as a share of the largest one.
double LinearSolver::correct(Equations &eq) {
  before_.resize(eq.nodes.size() * 6);
  for (size_t at = 0; at < eq.nodes.size(); ++at) copy_six(eq.nodes[at].a, &before_[at * 6]);
  closing_.correct(eq, trees_, bodies_.data(), rows_.data());
  set_springs(eq);
  Greatest changes;
  for (size_t at = 0; at < eq.nodes.size(); ++at) {
    double difference[6];
    for (size_t i = 0; i < 6; ++i) difference[i] = eq.nodes[at].a[i] - before_[at * 6 + i];
    changes.compare(difference);
  }
  const double change = changes.value();
  return change > 0 ? change / largest_acceleration(eq) : 0;
}

// What the bodies' equations lack in force and the free rows' in acceleration. Parents come before their
// children, which add to their share.
void LinearSolver::put_residuals(Equations &eq) {
  bodies_.resize(eq.nodes.size() * 16);
  if (rows_.size() < eq.rows.size()) rows_.resize(eq.rows.size());
  for (size_t at = 0; at < eq.nodes.size(); ++at) {
    const Node &n = eq.nodes[at];
    const double *a = n.a, *i = n.inertia;
    double b[8] = {};
    for (int k = 0; k < 3; ++k) b[k] += n.outer[k] - n.mass * a[k];
    b[3] += n.outer[3] - (i[0] * a[3] + i[1] * a[4] + i[2] * a[5]);
    b[4] += n.outer[4] - (i[1] * a[3] + i[3] * a[4] + i[4] * a[5]);
    b[5] += n.outer[5] - (i[2] * a[3] + i[4] * a[4] + i[5] * a[5]);
    const bool is_root = n.parent == kNothing;
    double unused[8] = {}, *above = is_root ? unused : &bodies_[static_cast<size_t>(n.parent) * 16];
    trees_.kernels().put_residuals({&eq.rows[n.row_begin], n.row_end - n.row_begin, a,
                                    is_root ? unused : eq.nodes[n.parent].a, b, above, &rows_[n.row_begin]});
    std::copy_n(b, 8, &bodies_[at * 16]);
  }
  for (int32_t r : eq.closing) {
    const Row &row = eq.rows[r];
    add_scaled(&bodies_[static_cast<size_t>(row.node) * 16], row.child, row.x);
    add_scaled(&bodies_[static_cast<size_t>(row.other) * 16], row.parent, row.x);
    rows_[r] = row.place == Place::free ? -eq.w_of(row) : 0;
  }
}

}  // namespace wb::solve
