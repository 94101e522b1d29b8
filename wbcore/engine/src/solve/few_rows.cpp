// A few rows that are out of order: their right places if all other rows kept theirs.
#include "few_rows.h"

#include <algorithm>

namespace wb::solve {

// All rows out of order change places at once; when their number has not fallen for some rounds, only the
// first one does, which ends for every problem whose solution is unique.
bool FewRows::settle(const Equations &eq, Elimination &trees, const Tolerances &tolerances, Candidate *rows,
                     int count) {
  constexpr int kMostRounds = 60, kPatience = 3;
  measure_effects(eq, trees, rows, count);
  std::copy_n(rows, count, before_);
  int fewest = kMost + 1, patience = kPatience;
  for (int round = 0; round < kMostRounds; ++round) {
    int wrong = 0;
    for (int i = 0; i < count; ++i) wrong += tolerances.better_place(rows[i]) != rows[i].place;
    if (wrong == 0) return true;
    patience = wrong < fewest ? kPatience : patience - 1;
    fewest = std::min(fewest, wrong);
    for (int i = 0, most = patience > 0 ? wrong : 1; i < count && most > 0; ++i) {
      const Place to = tolerances.better_place(rows[i]);
      most -= to != rows[i].place;
      rows[i].place = to;
    }
    if (!respond(rows, count)) return false;
    for (int i = 0; i < count; ++i) rows[i].value = value_of(rows[i], i);
  }
  return false;
}

void FewRows::visit_paths(const Equations &eq, const Candidate *rows, int count) {
  begin_.assign(eq.nodes.size(), 0);
  for (int i = 0; i < count; ++i)
    for (int32_t n = eq.rows[rows[i].row].node; n != kNothing && begin_[n] == 0; n = eq.nodes[n].parent)
      begin_[n] = 1;
  nodes_.clear();
  size_t next = kMost;
  for (size_t at = eq.nodes.size(); at-- > 0;) {
    if (begin_[at] == 0) continue;
    begin_[at] = next;
    next += static_cast<size_t>((6 + eq.nodes[at].free_rows) * kMost);
    nodes_.push_back(static_cast<int32_t>(at));
  }
  columns_.assign(next, 0.0);
}

void FewRows::fill_columns(const Equations &eq, Elimination &trees, const Candidate *rows, int count) {
  for (int i = 0; i < count; ++i) {
    const Row &row = eq.rows[rows[i].row];
    double *own = &columns_[begin_[row.node]] + i;
    if (row.place == Place::free && row.eliminated) {
      const Node &n = eq.nodes[row.node];
      const int32_t *list = trees.factors(n).list;
      own[(6 + (std::find(list, list + n.free_rows, rows[i].row) - list)) * kMost] = 1;
      continue;
    }
    const double share = row.place == Place::free ? row.stiffness : 1;
    for (int k = 0; k < 6; ++k) own[k * kMost] = row.child[k] * share;
    if (row.other == kNothing) continue;
    for (int k = 0; k < 6; ++k)
      columns_[begin_[row.other] + static_cast<size_t>(k * kMost + i)] = row.parent[k];
  }
}

void FewRows::measure_effects(const Equations &eq, Elimination &trees, const Candidate *rows, int count) {
  visit_paths(eq, rows, count);
  fill_columns(eq, trees, rows, count);
  std::fill_n(effects_[0], kMost * kMost, 0.0);
  for (int32_t at : nodes_) {
    const Node &n = eq.nodes[at];
    const NodeFactors factors = trees.factors(n);
    double *own = &columns_[begin_[at]],
           *above = n.parent == kNothing ? nullptr : &columns_[begin_[n.parent]];
    trees.kernels().reduce_columns(factors, n.free_rows, n.lanes, own, above, count);
    trees.kernels().add_products(factors, n.free_rows, own, own, count, count, effects_[0]);
  }
  for (int i = 0; i < count; ++i) {
    const Row &row = eq.rows[rows[i].row];
    const bool was_free = row.place == Place::free;
    if (was_free)
      for (double &effect : effects_[i]) effect = -effect;
    effects_[i][i] += !was_free ? row.cfm : row.eliminated ? 0 : row.stiffness;
  }
}

// The changes of rows that are no longer free, or are now, so that they are at their bounds or have no
// acceleration; and what all changes do.
bool FewRows::respond(const Candidate *rows, int count) {
  double matrix[kMost][kMost], right[kMost];
  int list[kMost], n = 0;
  for (int i = 0; i < count; ++i) {
    const Candidate &was = before_[i];
    response_[i] = was.value;
    change_[i] = 0;
    if ((was.place == Place::free) != (rows[i].place == Place::free))
      list[n++] = i;
    else if (was.place != Place::free)
      change_[i] = was.bound(rows[i].place) - was.bound(was.place);
  }
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) response_[i] += effects_[i][j] * change_[j];
  for (int i = 0; i < n; ++i) {
    right[i] = (before_[list[i]].place == Place::free ? rows[list[i]].bound(rows[list[i]].place) : 0) -
               response_[list[i]];
    for (int j = 0; j < n; ++j) matrix[i][j] = effects_[list[i]][list[j]];
  }
  for (int p = 0; p < n; ++p) {
    if (!(matrix[p][p] > 0)) return false;
    for (int i = p + 1; i < n; ++i) {
      const double share = matrix[i][p] / matrix[p][p];
      for (int j = p + 1; j < n; ++j) matrix[i][j] -= share * matrix[p][j];
      right[i] -= share * right[p];
    }
  }
  for (int p = n; p-- > 0;) {
    for (int j = p + 1; j < n; ++j) right[p] -= matrix[p][j] * right[j];
    right[p] /= matrix[p][p];
  }
  for (int i = 0; i < n; ++i) {
    change_[list[i]] = right[i];
    for (int j = 0; j < count; ++j) response_[j] += effects_[j][list[i]] * right[i];
  }
  return true;
}

double FewRows::value_of(const Candidate &row, int at) const {
  const Candidate &was = before_[at];
  if (row.place != Place::free) return was.place == Place::free ? change_[at] : response_[at];
  return was.place == Place::free ? response_[at] : was.bound(was.place) + change_[at];
}

}  // namespace wb::solve
