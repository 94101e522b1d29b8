// The dense matrix of an island, and the direct elimination of its rows without bounds.
#pragma once

#include <cstddef>
#include <vector>

#include "problem.h"

namespace wb::precise {

// A dense system: matrix * impulses = right.
struct Dense {
  uint32_t size = 0;
  std::vector<double> matrix, right;

  double *row(uint32_t i) { return matrix.data() + static_cast<size_t>(i) * size; }
  const double *row(uint32_t i) const { return matrix.data() + static_cast<size_t>(i) * size; }
};

class Elimination {
 public:
  // Builds the matrix of all rows, and eliminates those without bounds.
  explicit Elimination(const Problem &problem);

  // What is left for the other rows.
  Dense rest() const;
  // Computes the impulses of the eliminated rows from the others.
  void complete(std::vector<double> &impulses) const;

 private:
  void build(const Problem &problem);
  void fill_row(const Problem &problem, uint32_t i);
  void eliminate(uint32_t k);

  uint32_t unbounded_;
  Dense all_;  // the lower triangle is used
  std::vector<double> column_, diagonals_;
  std::vector<uint32_t> coupled_;  // rows below the pivot that it changes
};

}  // namespace wb::precise
