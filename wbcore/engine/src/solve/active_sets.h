// Finds the places of the rows: which are free, and which at a bound.
#pragma once

#include "linear_solver.h"

namespace wb::solve {

class ActiveSets {
 public:
  // Solves with the present places and changes them until every row with bounds is in order; rows that are
  // `out` stay so. False: none were found within a limit of solutions.
  bool settle(Equations &eq, LinearSolver &solver);

  bool first_try = false;  // the last places were right at once

 private:
  struct Change {
    int32_t row;
    Place to;
  };
  void measure(Equations &eq);
  void list_changes();
  void weigh_last_changes(Equations &eq, LinearSolver &solver);
  void change_all(Equations &eq);
  void change_safely(Equations &eq);
  void release_one(Equations &eq);
  bool settle_ties(Equations &eq);
  static void move(Equations &eq, const Change &change);

  std::vector<Candidate> candidates_;  // all rows that may change places
  std::vector<size_t> wrong_;          // which of them are out of order, the first `changes_.size()`
  std::vector<Change> changes_;
  Tolerances tolerances_;
};

}  // namespace wb::solve
