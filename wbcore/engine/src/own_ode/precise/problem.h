// The equations of one island in a step: rows of joints, and contacts with friction cones.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace wb::precise {

using Six = std::array<double, 6>;  // linear and angular part

constexpr uint32_t kWorld = 0xffffffffu;

inline double product(const Six &a, const Six &b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// One body; kinematic bodies have inverse mass and inertia 0.
struct Mover {
  double inverse_mass;
  std::array<double, 9> inverse_inertia;  // in the axes of the world
  Six before;                             // velocity at the start of the step
  Six free;                               // velocity at its end without constraints
};

// J v + softness * impulse = target, with the impulse between `low` and `high`. Rows of contacts have other
// bounds, see Contact. Velocities in m/s and rad/s, impulses in N s and N m s.
struct Row {
  std::array<uint32_t, 2> bodies{kWorld, kWorld};
  std::array<Six, 2> j{};         // for the velocities of both bodies
  std::array<Six, 2> response{};  // change of both velocities by an impulse of 1
  double target = 0, softness = 0, low = 0, high = 0;
  double diagonal = 0;  // change of J v by an impulse of 1, with the softness
};

// One or two rows whose impulse has at most the length of the contact's normal impulse. Rows are scaled by
// their coefficients of friction, so that an ellipse is a disc here.
struct Disc {
  uint32_t first, size;
};

// A normal row, and discs of its friction: sliding, rolling, spinning.
struct Contact {
  uint32_t normal, disc_count;
  std::array<Disc, 3> discs;
  double gap_target;  // of the normal row without restitution
};

// Rows in this order: of joints without bounds, of joints with bounds, of contacts.
struct Problem {
  std::vector<Mover> movers;
  std::vector<Row> rows;
  std::vector<Contact> contacts;
  std::vector<double> impulses;
  uint32_t unbounded = 0, of_joints = 0;
  double speed = 0;  // a typical one (m/s), for tolerances
  bool bounces = false;
  bool yields = false;  // had no solution, and its contacts were made soft

  uint32_t size() const { return static_cast<uint32_t>(rows.size()); }
  void clear();
  // Computes `response` and `diagonal` of a row from the rest.
  void complete(Row &row) const;
  // Velocities of the bodies with the current impulses.
  std::vector<Six> velocities() const;
};

// Change of the first row's J v by an impulse of 1 of the second.
double coupling(const Row &first, const Row &second);

// The greatest eigenvalue of the symmetric matrix (a b, b d): the scale with which both rows of a disc are
// corrected at once.
double greatest_eigenvalue(double a, double b, double d);

// J v of a row.
double rate(const Row &row, const std::vector<Six> &velocities);

}  // namespace wb::precise
