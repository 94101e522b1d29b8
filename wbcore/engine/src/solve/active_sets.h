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
  // A row that may change places: its force if it is free, else its acceleration.
  struct Candidate {
    double value, low, high;
    int32_t row;
    Place place;
  };
  void measure(Equations &eq);
  Place better_place(const Candidate &row) const;
  void list_changes();
  void change_all(Equations &eq);
  void change_safely(Equations &eq);
  void release_one(Equations &eq);
  bool settle_ties(Equations &eq);
  static void move(Equations &eq, const Change &change);

  std::vector<Candidate> candidates_;
  std::vector<Change> changes_;
  double force_tolerance_ = 0, acceleration_tolerance_ = 0;
};

}  // namespace wb::solve
