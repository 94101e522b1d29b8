// Relaxation of rows and cones (projected Gauss-Seidel), on any representation of the equations.
#pragma once

#include <algorithm>
#include <cmath>

#include "problem.h"

namespace wb::precise {

// Shortens the impulses of a disc to a radius; returns the factor.
inline double within(double radius, const double *impulse, uint32_t size) {
  const double length =
      size == 2 ? std::sqrt(impulse[0] * impulse[0] + impulse[1] * impulse[1]) : std::fabs(impulse[0]);
  return length > radius ? radius / length : 1;
}

// `Equations` has size(), rows() with bounds and diagonals, contacts(), impulse(row), error(row), which is
// J v + softness * impulse - target, and push(row, impulse), which adds an impulse.
template <class Equations>
class Relaxation {
 public:
  explicit Relaxation(Equations &equations) : e_(equations) {}

  // Makes a sweep over all rows; returns the greatest change as a velocity.
  double sweep() {
    change_ = 0;
    for (uint32_t r = 0; r < e_.of_joints(); ++r) relax_bounded(r);
    for (const Contact &c : e_.contacts()) relax_contact(c);
    return change_;
  }

 private:
  void push(uint32_t row, double impulse) {
    if (impulse == 0) return;
    change_ = std::max(change_, std::fabs(impulse) * e_.row(row).diagonal);
    e_.push(row, impulse);
  }
  void relax_bounded(uint32_t r) {
    const Row &row = e_.row(r);
    const double wanted = std::clamp(e_.impulse(r) - e_.error(r) / row.diagonal, row.low, row.high);
    push(r, wanted - e_.impulse(r));
  }
  void relax_contact(const Contact &c) {
    const double normal = e_.impulse(c.normal) - e_.error(c.normal) / e_.row(c.normal).diagonal;
    push(c.normal, std::max(normal, 0.0) - e_.impulse(c.normal));
    for (uint32_t d = 0; d < c.disc_count; ++d) relax_disc(c.discs[d], e_.impulse(c.normal));
  }
  void relax_disc(const Disc &disc, double radius) {
    double wanted[2];
    for (uint32_t i = 0; i < disc.size; ++i)
      wanted[i] = e_.impulse(disc.first + i) - e_.error(disc.first + i) / e_.row(disc.first).diagonal;
    const double factor = within(radius, wanted, disc.size);
    for (uint32_t i = 0; i < disc.size; ++i)
      push(disc.first + i, factor * wanted[i] - e_.impulse(disc.first + i));
  }

  Equations &e_;
  double change_ = 0;
};

}  // namespace wb::precise
