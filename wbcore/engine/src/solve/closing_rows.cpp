// Free rows that close cycles: solved in a dense complement of the trees.
#include "closing_rows.h"

#include <algorithm>

namespace wb::solve {

void ClosingRows::push(Equations &eq) {
  if (eq.closing.empty()) return;
  bodies_.assign(eq.nodes.size() * 6, 0);
  for (int32_t r : eq.closing) {
    const Row &row = eq.rows[r];
    if (row.place == Place::free || row.x == 0) continue;
    add_scaled(&bodies_[static_cast<size_t>(row.node) * 6], row.child, row.x);
    add_scaled(&bodies_[static_cast<size_t>(row.other) * 6], row.parent, row.x);
  }
  for (size_t i = 0; i < eq.nodes.size(); ++i) {
    Node &n = eq.nodes[i];
    double force[6];
    for (size_t k = 0; k < 6; ++k) force[k] = n.outer[k] + bodies_[i * 6 + k];
    if (std::equal(force, force + 6, n.force)) continue;
    std::copy_n(force, 6, n.force);
    eq.mark_stale(static_cast<int32_t>(i));
  }
}

void ClosingRows::solve(Equations &eq, Elimination &trees) {
  if (eq.closing.empty()) return;
  collect(eq);
  if (free_.empty()) return;
  groups_.clear();
  path_.clear();
  columns_.clear();
  for (size_t begin = 0, end; begin < free_.size(); begin = end) {
    const Row &row = eq.rows[free_[begin]];
    for (end = begin + 1; end < free_.size() && end < begin + kWidth; ++end)
      if (eq.rows[free_[end]].node != row.node || eq.rows[free_[end]].other != row.other) break;
    add_group(eq, trees, static_cast<int32_t>(begin), static_cast<int32_t>(end - begin));
  }
  fill_matrix(eq, trees);
  factor(eq);
  right_.resize(free_.size());
  for (size_t i = 0; i < free_.size(); ++i) {
    Row &row = eq.rows[free_[i]];
    row.x = 0;
    right_[i] = -eq.w_of(row);
  }
  substitute(right_.data());
  for (size_t i = 0; i < free_.size(); ++i) eq.rows[free_[i]].x = right_[i];
  push_through(eq, trees);
}

void ClosingRows::collect(const Equations &eq) {
  free_.clear();
  for (int32_t r : eq.closing)
    if (eq.rows[r].place == Place::free) free_.push_back(r);
}

// A parent's number is below its children's, so the path in descending order visits children first.
void ClosingRows::add_group(const Equations &eq, Elimination &trees, int32_t begin, int32_t count) {
  Group group{begin, count, static_cast<int32_t>(path_.size()), 0};
  const Row &row = eq.rows[free_[begin]];
  size_t at = columns_.size();
  for (int32_t a = row.node, b = row.other; a != kNothing || b != kNothing;) {
    const int32_t node = std::max(a, b);
    path_.push_back({node, at});
    at += static_cast<size_t>(6 + eq.nodes[node].free_rows) * kWidth;
    if (a == node) a = eq.nodes[node].parent;
    if (b == node) b = eq.nodes[node].parent;
  }
  group.path_end = static_cast<int32_t>(path_.size());
  columns_.resize(at, 0.0);
  for (int32_t p = group.path_begin; p < group.path_end; ++p) {
    const Stop &stop = path_[p];
    if (stop.node != row.node && stop.node != row.other) continue;
    for (int32_t i = 0; i < count; ++i) {
      const Row &r = eq.rows[free_[begin + i]];
      const double *j = stop.node == row.node ? r.child : r.parent;
      for (int k = 0; k < 6; ++k) columns_[stop.at + static_cast<size_t>(k * kWidth + i)] = j[k];
    }
  }
  eliminate_path(eq, trees, group);
  groups_.push_back(group);
}

void ClosingRows::eliminate_path(const Equations &eq, Elimination &trees, const Group &group) {
  for (int32_t p = group.path_begin; p < group.path_end; ++p) {
    const Node &n = eq.nodes[path_[p].node];
    double *above = nullptr;
    for (int32_t q = p + 1; q < group.path_end && !above; ++q)
      if (path_[q].node == n.parent) above = &columns_[path_[q].at];
    trees.kernels().reduce_columns(trees.factors(n), n.free_rows, n.lanes, &columns_[path_[p].at], above,
                                   group.count);
  }
}

void ClosingRows::fill_matrix(const Equations &eq, Elimination &trees) {
  const size_t n = free_.size();
  matrix_.assign(n * n, 0);
  for (size_t a = 0; a < groups_.size(); ++a)
    for (size_t b = 0; b <= a; ++b) add_product(eq, trees, groups_[a], groups_[b]);
  for (size_t i = 0; i < n; ++i) matrix_[i * n + i] += eq.rows[free_[i]].cfm;
}

// What rows of one group do to those of another one: only nodes on both paths count.
void ClosingRows::add_product(const Equations &eq, Elimination &trees, const Group &a, const Group &b) {
  alignas(64) double sum[kWidth][kWidth] = {};
  for (int32_t p = a.path_begin, q = b.path_begin; p < a.path_end && q < b.path_end;) {
    const int32_t node = path_[p].node, other = path_[q].node;
    if (node == other) {
      const Node &n = eq.nodes[node];
      trees.kernels().add_products(trees.factors(n), n.free_rows, &columns_[path_[p].at],
                                   &columns_[path_[q].at], a.count, b.count, sum[0]);
    }
    p += node >= other;
    q += other >= node;
  }
  const size_t n = free_.size();
  for (int32_t i = 0; i < a.count; ++i)
    for (int32_t j = 0; j < b.count; ++j)
      matrix_[static_cast<size_t>(a.begin + i) * n + static_cast<size_t>(b.begin + j)] = sum[i][j];
}

// L D L' in the lower triangle, with the inverse of D on the diagonal; 0: the row depends on those before it.
void ClosingRows::factor(const Equations &eq) {
  const size_t n = free_.size();
  for (size_t i = 0; i < n; ++i) {
    double *row = &matrix_[i * n];
    const double own = row[i];
    double d = own;
    for (size_t j = 0; j < i; ++j) {
      const double *other = &matrix_[j * n];
      double s = row[j];
      for (size_t k = 0; k < j; ++k) s -= row[k] * other[k];
      row[j] = s;
    }
    for (size_t j = 0; j < i; ++j) {
      const double scaled = row[j] * matrix_[j * n + j];
      d -= scaled * row[j];
      row[j] = scaled;
    }
    row[i] = d > least_pivot(own, eq.rows[free_[i]].cfm) ? 1 / d : 0;
  }
}

void ClosingRows::substitute(double *b) const {
  const size_t n = free_.size();
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < i; ++k) b[i] -= matrix_[i * n + k] * b[k];
  for (size_t i = 0; i < n; ++i) b[i] *= matrix_[i * n + i];
  for (size_t i = n; i-- > 0;)
    for (size_t k = i + 1; k < n; ++k) b[i] -= matrix_[k * n + i] * b[k];
}

// Adds the effect of the forces in `right_` to the trees' solution.
void ClosingRows::push_through(Equations &eq, Elimination &trees) {
  bodies_.assign(eq.nodes.size() * 16, 0);
  rows_.assign(eq.rows.size(), 0);
  for (size_t i = 0; i < free_.size(); ++i) {
    const Row &row = eq.rows[free_[i]];
    add_scaled(&bodies_[static_cast<size_t>(row.node) * 16], row.child, right_[i]);
    add_scaled(&bodies_[static_cast<size_t>(row.other) * 16], row.parent, right_[i]);
  }
  trees.solve_and_add(eq, bodies_.data(), rows_.data());
}

void ClosingRows::correct(Equations &eq, Elimination &trees, double *bodies, double *rows) {
  collect(eq);
  for (size_t i = 0; i < free_.size(); ++i) right_[i] = rows[free_[i]];
  trees.solve_and_add(eq, bodies, rows);
  for (size_t i = 0; i < free_.size(); ++i) {
    const Row &row = eq.rows[free_[i]];
    right_[i] -=
        along(row.child, bodies + row.node * 16 + 8) + along(row.parent, bodies + row.other * 16 + 8);
  }
  if (free_.empty()) return;
  substitute(right_.data());
  for (size_t i = 0; i < free_.size(); ++i) eq.rows[free_[i]].x += right_[i];
  push_through(eq, trees);
}

}  // namespace wb::solve
