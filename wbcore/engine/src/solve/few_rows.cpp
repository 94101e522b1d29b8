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
  int fewest = kMost + 1, patience = kPatience;
  for (int round = 0; round < kMostRounds; ++round) {
    Place better[kMost];
    int list[kMost], wrong = 0;
    for (int i = 0; i < count; ++i) {
      better[i] = tolerances.better_place(rows[i]);
      list[wrong] = i;
      wrong += better[i] != rows[i].place;
    }
    if (wrong == 0) return true;
    patience = wrong < fewest ? kPatience : patience - 1;
    fewest = std::min(fewest, wrong);
    for (int i = 0; i < (patience > 0 ? wrong : 1); ++i)
      if (!move(rows, count, list[i], better[list[i]])) return false;
  }
  return false;
}

// Where a row's force and acceleration change roles, so do they in the matrix: a principal pivot.
bool FewRows::move(Candidate *rows, int count, int at, Place to) {
  Candidate &row = rows[at];
  double *own = effects_[at];
  const bool was_free = row.place == Place::free, stays_bound = !was_free && to != Place::free;
  const double pivot = own[at], target = was_free ? row.bound(to) : 0;
  if (!(pivot > 0)) return false;
  const double inverse = 1 / pivot;
  const double change = stays_bound ? row.bound(to) - row.bound(row.place) : (target - row.value) * inverse;
  const double before = was_free ? 0 : row.bound(row.place);
  for (int i = 0; i < count; ++i) rows[i].value += effects_[i][at] * change;
  row.place = to;
  if (stays_bound) return true;
  row.value = before + change;
  double scaled[kMost];
  for (int i = 0; i < kMost; ++i) scaled[i] = own[i] * inverse;
  for (int i = 0; i < count; ++i) {
    if (i == at) continue;
    const double effect = effects_[i][at];
    for (int j = 0; j < kMost; ++j) effects_[i][j] -= effect * scaled[j];
    effects_[i][at] = effect * inverse;
  }
  for (int j = 0; j < kMost; ++j) own[j] = -scaled[j];
  own[at] = inverse;
  return true;
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

}  // namespace wb::solve
