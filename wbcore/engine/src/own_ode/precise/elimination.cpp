// The dense matrix of an island, and the direct elimination of its rows without bounds.
#include "elimination.h"

namespace wb::precise {
namespace {

// A pivot below this share of its diagonal belongs to a row that others imply: it bears nothing.
constexpr double kLeastPivot = 1e-13;

}  // namespace

Elimination::Elimination(const Problem &problem) : unbounded_(problem.unbounded) {
  build(problem);
  for (uint32_t k = 0; k < unbounded_; ++k) eliminate(k);
}

void Elimination::build(const Problem &problem) {
  all_.size = problem.size();
  all_.matrix.resize(static_cast<size_t>(all_.size) * all_.size);
  all_.right.resize(all_.size);
  column_.resize(all_.size);
  diagonals_.resize(all_.size);
  for (uint32_t i = 0; i < all_.size; ++i) fill_row(problem, i);
}

void Elimination::fill_row(const Problem &problem, uint32_t i) {
  const Row &row = problem.rows[i];
  double *entries = all_.row(i);
  for (uint32_t k = 0; k < i; ++k) entries[k] = coupling(row, problem.rows[k]);
  entries[i] = diagonals_[i] = row.diagonal;
  double free = 0;
  for (int side = 0; side < 2; ++side)
    if (row.bodies[side] != kWorld) free += product(row.j[side], problem.movers[row.bodies[side]].free);
  all_.right[i] = row.target - free;
}

void Elimination::eliminate(uint32_t k) {
  double &pivot = all_.row(k)[k];
  if (pivot <= kLeastPivot * diagonals_[k]) pivot = 0;
  if (pivot == 0) return;
  coupled_.clear();
  for (uint32_t i = k + 1; i < all_.size; ++i)
    if ((column_[i] = all_.row(i)[k]) != 0) coupled_.push_back(i);
  // few rows of a robot are coupled; for many, a loop over all is faster
  const bool few = 3 * coupled_.size() < all_.size - k;
  for (size_t n = 0; n < coupled_.size(); ++n) {
    const uint32_t i = coupled_[n];
    const double factor = column_[i] / pivot;
    double *row = all_.row(i);
    if (few)
      for (size_t m = 0; m <= n; ++m) row[coupled_[m]] -= factor * column_[coupled_[m]];
    else
      for (uint32_t c = k + 1; c <= i; ++c) row[c] -= factor * column_[c];
    all_.right[i] -= factor * all_.right[k];
  }
}

Dense Elimination::rest() const {
  Dense rest;
  rest.size = all_.size - unbounded_;
  rest.matrix.resize(static_cast<size_t>(rest.size) * rest.size);
  rest.right.assign(all_.right.begin() + unbounded_, all_.right.end());
  for (uint32_t i = 0; i < rest.size; ++i)
    for (uint32_t k = 0; k <= i; ++k)
      rest.row(i)[k] = rest.row(k)[i] = all_.row(unbounded_ + i)[unbounded_ + k];
  return rest;
}

void Elimination::complete(std::vector<double> &impulses) const {
  for (uint32_t k = unbounded_; k-- > 0;) {
    double sum = all_.right[k];
    for (uint32_t i = k + 1; i < all_.size; ++i) sum -= all_.row(i)[k] * impulses[i];
    const double pivot = all_.row(k)[k];
    impulses[k] = pivot == 0 ? 0 : sum / pivot;
  }
}

}  // namespace wb::precise
