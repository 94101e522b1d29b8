// Finds the places of the rows: which are free, and which at a bound.
#include "active_sets.h"

#include <algorithm>
#include <cmath>

namespace wb::solve {
namespace {

constexpr int kMostSolutions = 400;
// Block pivoting may go round in circles: it has this many solutions to lessen the number of rows out of
// order.
constexpr int kPatience = 5;
// Shares of the greatest force and acceleration within which a row is in order.
constexpr double kTolerance = 1e-12;

}  // namespace

// First all rows out of order change places at once. When that has not lessened their number for some
// solutions, the rest goes a way that always ends: the forces stay between their bounds, and an energy falls
// with every step.
bool ActiveSets::settle(Equations &eq, LinearSolver &solver) {
  size_t fewest = ~size_t{0};
  int patience = kPatience;
  bool safely = false;
  for (int i = 0; i < kMostSolutions; ++i) {
    solver.solve(eq);
    measure(eq);
    list_changes();
    if (changes_.empty()) {
      first_try = i == 0;
      if (settle_ties(eq)) solver.solve(eq);
      return true;
    }
    if (changes_.size() < fewest) {
      fewest = changes_.size();
      patience = kPatience;
    } else if (!safely && --patience < 0) {
      safely = true;
      for (int32_t r : eq.bounded)
        eq.rows[r].inside = std::max(std::min(eq.rows[r].x, eq.rows[r].high), eq.rows[r].low);
    }
    if (!safely) weigh_last_changes(eq, solver);
    safely ? change_safely(eq) : change_all(eq);
  }
  return false;
}

void ActiveSets::measure(Equations &eq) {
  double strongest = 0;
  Greatest fastest;
  for (const Node &n : eq.nodes) fastest.compare(n.a);
  candidates_.clear();
  for (int32_t r : eq.bounded) {
    const Row &row = eq.rows[r];
    if (row.place == Place::free) {
      strongest = std::max(strongest, std::fabs(row.x));
      candidates_.push_back({row.x, row.low, row.high, r, row.place});
    } else if (row.place != Place::out && !row.fixed) {
      candidates_.push_back({eq.w_of(row), row.low, row.high, r, row.place});
    }
  }
  tolerances_.force = kTolerance * (1e-3 + strongest);
  tolerances_.acceleration = kTolerance * (1 + fastest.value());
}

void ActiveSets::list_changes() {
  if (wrong_.size() <= candidates_.size()) wrong_.resize(candidates_.size() + 1);
  size_t count = 0;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    wrong_[count] = i;
    count += !tolerances_.in_order(candidates_[i]);
  }
  changes_.clear();
  for (size_t i = 0; i < count; ++i) {
    const Candidate &row = candidates_[wrong_[i]];
    changes_.push_back({row.row, tolerances_.better_place(row)});
  }
}

// Changes of the last rows, which are the farthest from the roots, that take each other into account; all
// changes remain as they are where these are not found.
void ActiveSets::weigh_last_changes(Equations &eq, LinearSolver &solver) {
  if (changes_.size() < 2 || !eq.closing.empty()) return;
  Candidate few[FewRows::kMost];
  int count = 0;
  for (size_t i = changes_.size(); i-- > 0 && count < FewRows::kMost;) few[count++] = candidates_[wrong_[i]];
  if (!solver.settle_few(eq, tolerances_, few, count)) return;
  changes_.clear();
  for (int i = 0; i < count; ++i)
    if (few[i].place != eq.rows[few[i].row].place) changes_.push_back({few[i].row, few[i].place});
}

void ActiveSets::move(Equations &eq, const Change &change) {
  Row &row = eq.rows[change.row];
  row.place = change.to;
  if (change.to != Place::free) row.x = change.to == Place::low ? row.low : row.high;
  if (!row.closing) eq.mark_stale(row.node);
}

void ActiveSets::change_all(Equations &eq) {
  for (const Change &change : changes_) move(eq, change);
}

// Goes from the last forces between the bounds towards the solution, up to the first bound on the way.
void ActiveSets::change_safely(Equations &eq) {
  const Change *first = nullptr;
  double share = 1;
  for (const Change &c : changes_) {
    if (c.to == Place::free) continue;
    const Row &row = eq.rows[c.row];
    const double bound = c.to == Place::low ? row.low : row.high;
    const double reached = (bound - row.inside) / (row.x - row.inside);
    if (first && reached >= share) continue;
    share = reached;
    first = &c;
  }
  share = std::max(share, 0.0);
  for (int32_t r : eq.bounded) {
    Row &row = eq.rows[r];
    if (row.place == Place::free) row.inside = first ? row.inside + share * (row.x - row.inside) : row.x;
  }
  if (!first) return release_one(eq);
  move(eq, *first);
  eq.rows[first->row].inside = eq.rows[first->row].x;
}

// The best solution for these places: the row that gains most leaves its bound.
void ActiveSets::release_one(Equations &eq) {
  const auto gain = [&](const Change &c) { return std::fabs(eq.w_of(eq.rows[c.row])); };
  const Change best = *std::max_element(changes_.begin(), changes_.end(),
                                        [&](const Change &a, const Change &b) { return gain(a) < gain(b); });
  eq.rows[best.row].inside = eq.rows[best.row].x;
  move(eq, best);
}

// A row that is both free and at its bound, within rounding, has two right places, and which was found
// depends on where the search began: it goes to the bound.
bool ActiveSets::settle_ties(Equations &eq) {
  changes_.clear();
  for (const Candidate &row : candidates_) {
    if (row.place != Place::free) continue;
    const bool low = row.value <= row.low + tolerances_.force;
    if (low | (row.value >= row.high - tolerances_.force))
      changes_.push_back({row.row, low ? Place::low : Place::high});
  }
  change_all(eq);
  return !changes_.empty();
}

}  // namespace wb::solve
