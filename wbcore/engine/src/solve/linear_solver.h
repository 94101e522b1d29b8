// Solves the equations of an island for the places that its rows have.
#pragma once

#include "closing_rows.h"
#include "few_rows.h"

namespace wb::solve {

class LinearSolver {
 public:
  explicit LinearSolver(const Kernels &kernels) : trees_(kernels) {}

  void fit(Equations &eq) { trees_.fit(eq); }
  // Accelerations, and the forces of free rows. The result depends on the places alone, not on those before.
  void solve(Equations &eq);
  // Steps of iterative refinement with the factors at hand, until they change nothing that matters.
  void refine(Equations &eq);
  // FewRows::settle with the factors of the last solution.
  bool settle_few(const Equations &eq, const Tolerances &tolerances, Candidate *rows, int count) {
    return few_.settle(eq, trees_, tolerances, rows, count);
  }

  uint64_t solutions = 0;
  uint64_t nodes_factored() const { return trees_.nodes_factored; }

 private:
  double correct(Equations &eq);
  void put_residuals(Equations &eq);
  bool lacks_only_rounding(const Equations &eq) const;

  Elimination trees_;
  ClosingRows closing_;
  FewRows few_;
  std::vector<double> bodies_, rows_, before_;
};

}  // namespace wb::solve
