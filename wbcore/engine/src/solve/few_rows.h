// A few rows that are out of order: their right places if all other rows kept theirs.
#pragma once

#include "elimination.h"

namespace wb::solve {

// A row that may change places: its force if it is free, else its acceleration.
struct Candidate {
  double value, low, high;
  int32_t row;
  Place place;

  double bound(Place at) const { return at == Place::low ? low : high; }
};

// Forces and accelerations within which a row is in order.
struct Tolerances {
  double force = 0, acceleration = 0;

  // Which rows are in order follows no pattern: conditions would cost more than both limits do.
  bool in_order(const Candidate &row) const {
    const bool is_free = row.place == Place::free;
    const double of_low = row.place == Place::low ? -acceleration : -dInfinity,
                 of_high = row.place == Place::high ? acceleration : dInfinity;
    const double least = is_free ? row.low - force : of_low, most = is_free ? row.high + force : of_high;
    return !((row.value < least) | (row.value > most));
  }
  Place better_place(const Candidate &row) const {
    if (in_order(row)) return row.place;
    if (row.place != Place::free) return Place::free;
    return row.value < row.low - force ? Place::low : Place::high;
  }
};

// Solves the small problem by the trees' factors for the present places. What it finds is where a search goes
// on: the result is then computed with factors for its own places.
class FewRows {
 public:
  static constexpr int kMost = 8;

  // Moves `count` rows to the places at which they are all in order. False: none were found.
  bool settle(const Equations &eq, Elimination &trees, const Tolerances &tolerances, Candidate *rows,
              int count);

 private:
  void visit_paths(const Equations &eq, const Candidate *rows, int count);
  void fill_columns(const Equations &eq, Elimination &trees, const Candidate *rows, int count);
  void measure_effects(const Equations &eq, Elimination &trees, const Candidate *rows, int count);
  bool move(Candidate *rows, int count, int at, Place to);

  std::vector<size_t> begin_;   // by node: where its numbers begin; 0: on no path
  std::vector<int32_t> nodes_;  // on the paths to the roots, children before their parents
  std::vector<double> columns_;
  // What a unit of each row's change does: to the force of a row that was free, the acceleration of others. A
  // change is a force on a row that was at a bound, and an acceleration of one that was free.
  alignas(64) double effects_[kMost][kMost];
};

}  // namespace wb::solve
