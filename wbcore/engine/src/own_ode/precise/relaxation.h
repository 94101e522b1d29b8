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

// The greater of two values. Unlike std::max, keeps what is not a number: such an error may not pass for a
// small one.
inline double greater(double a, double b) { return a < b || b != b ? b : a; }

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
    change_ = greater(change_, std::fabs(impulse) * e_.row(row).diagonal);
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
    if (radius == 0 && is_idle(disc)) return;
    double wanted[2];
    for (uint32_t i = 0; i < disc.size; ++i)
      wanted[i] = e_.impulse(disc.first + i) - e_.error(disc.first + i) / e_.row(disc.first).diagonal;
    const double factor = within(radius, wanted, disc.size);
    for (uint32_t i = 0; i < disc.size; ++i)
      push(disc.first + i, factor * wanted[i] - e_.impulse(disc.first + i));
  }

  bool is_idle(const Disc &disc) const {
    return e_.impulse(disc.first) == 0 && e_.impulse(disc.first + disc.size - 1) == 0;
  }

  Equations &e_;
  double change_ = 0;
};

// Sweeps that also follow the direction of those before, a nonlinear conjugate gradient method (Fletcher and
// Reeves; Silcowitz-Hansen, Niebel and Erleben 2010). `Equations` also has impulses(), and state(), a vector
// that is linear in them.
template <class Equations>
class Acceleration {
 public:
  explicit Acceleration(Equations &equations)
      : e_(equations), relaxation_(equations), impulses_(equations.impulses()), state_(equations.state()) {}

  // Makes a sweep from where the direction leads; returns the greatest change as a velocity. The impulses are
  // those after the sweep, so they are allowed.
  double sweep() {
    impulses_.follow(factor_), state_.follow(factor_);
    const double change = relaxation_.sweep();
    const double square = impulses_.squared_step(e_);
    // after a sweep without any change there is no direction to follow
    factor_ = square_ > 0 && square <= square_ ? square / square_ : 0;
    square_ = square;
    return change;
  }

 private:
  // A vector, its value before the last sweep, and the direction of the sweeps so far.
  struct Path {
    explicit Path(std::vector<double> &of) : value(of), before(of), direction(of.size(), 0.0) {}

    void follow(double factor) {
      for (size_t i = 0; i < value.size(); ++i) {
        const double step = value[i] - before[i];
        value[i] += factor * direction[i];
        direction[i] = factor * direction[i] + step;
        before[i] = value[i];
      }
    }
    double squared_step(const Equations &e) const {
      double sum = 0;
      for (size_t i = 0; i < value.size(); ++i) {
        const double step = value[i] - before[i];
        sum += e.row(static_cast<uint32_t>(i)).diagonal * step * step;
      }
      return sum;
    }

    std::vector<double> &value;
    std::vector<double> before, direction;
  };

  Equations &e_;
  Relaxation<Equations> relaxation_;
  Path impulses_, state_;
  double square_ = 0, factor_ = 0;
};

}  // namespace wb::precise
