// The equations of one island: bodies as nodes of trees, and the rows of ODE's joints on their edges.
//
// Unknown are the acceleration a = (v_new - v) / h of each body and the force x of each row:
//   M a - J' x = f,   J a + s x - c = w,   with s = cfm / h and c = rhs / h - J v / h.
// A free row has w = 0; a row at a bound has x = low and w >= 0, or x = high and w <= 0.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "config.h"
#include "node_factors.h"
#include "objects.h"

struct dxJoint;

namespace wb::solve {

// Where the force of a row is. `out`: friction in the first phase, which does without.
enum class Place : int8_t { free, low, high, out };

constexpr int32_t kNothing = -1;

// ODE writes the Jacobians (three linear and three angular numbers each) and `rhs` to `high` in place.
struct alignas(64) Row {
  double child[6];
  double stiffness;  // 1 / s of a row that acts as a spring on its body
  double inside;     // the last force between the bounds (active set method)
  double parent[8];
  // What each solution reads or writes, in 64 bytes.
  double rhs, cfm, low, high;  // cfm: s, above; high of friction: per unit of the normal force at first
  double x;
  int8_t *memory;  // the places that start the next step: of the first and of the second phase
  int32_t normal;  // row whose force bounds this one, or nothing
  int32_t node,
      other;  // its bodies; of a row on an edge the child and its parent; other: nothing for the world
  Place place;
  bool fixed;       // its bounds are equal
  bool eliminated;  // has a pivot of its own; otherwise it is a spring on its body
  bool closing;     // closes a cycle
};
static_assert(sizeof(Row) == 192);
constexpr int kRowNumbers = sizeof(Row) / sizeof(double);

// A body, and the edge to its parent with the rows between them. Rows to the world are on the body's edge
// too.
struct Node {
  dxBody *body;
  int32_t number;  // of the body in the island
  int32_t parent, first_child, next_sibling;
  int32_t row_begin, row_end;
  int32_t eliminated_rows;    // the most that can be free at once
  int32_t free_rows, lanes;   // as factored last; lanes: the length of a matrix row
  bool has_input;             // its rows are few: all are in the factors, those at bounds as zeros
  bool stale;                 // the factors are not those of the present places
  size_t memory;              // of its factors, in the arena
  double mass, inertia[6];    // xx xy xz yy yz zz in the world's axes
  double outer[6], force[6];  // without and with the forces of rows at bounds that close cycles
  double a[8];
};

// A joint of the island that has rows.
struct JointRows {
  dxJoint *joint;
  int32_t count, first_row;
  int32_t body0, body1;  // nodes; nothing: the world or a kinematic body
  int32_t child;         // the node whose edge has the rows; nothing: they close a cycle
  bool contact;
};

// Numbers that do not overlap: std::copy_n would call a function, as it allows for that.
inline void copy_three(const double *from, double *to) { std::memcpy(to, from, 3 * sizeof(double)); }
inline void copy_six(const double *from, double *to) { std::memcpy(to, from, 6 * sizeof(double)); }

inline void add_scaled(double *to, const double *j, double x) {
  for (int i = 0; i < 6; ++i) to[i] += j[i] * x;
}

// The greatest absolute number. One after the other each comparison would wait for the one before: six do
// not.
class Greatest {
 public:
  // Six numbers.
  void compare(const double *numbers) {
    for (int i = 0; i < 6; ++i) of_[i] = larger(of_[i], std::fabs(numbers[i]));
  }
  double value() const {
    return larger(larger(larger(of_[0], of_[1]), larger(of_[2], of_[3])), larger(of_[4], of_[5]));
  }

 private:
  double of_[6] = {};
};

// A remembered place, if the row still has the bound.
inline Place remembered(const Row &row, int8_t place) {
  if (place == static_cast<int8_t>(Place::low) && row.low > -dInfinity) return Place::low;
  if (place == static_cast<int8_t>(Place::high) && row.high < dInfinity) return Place::high;
  return Place::free;
}

struct Equations {
  std::vector<Node> nodes;
  std::vector<Row> rows;  // of which the first `row_count` are in use
  size_t row_count = 0;
  std::vector<JointRows> joints;
  // Rows with bounds; those bounded by a normal force; those that close cycles; those that act as springs.
  std::vector<int32_t> bounded, friction, closing, springs;

  double w_of(const Row &row) const {
    const double w = along(row.child, nodes[row.node].a) + row.cfm * row.x - row.rhs;
    return row.other == kNothing ? w : w + along(row.parent, nodes[row.other].a);
  }
  void mark_stale(int32_t node) {
    for (; node != kNothing && !nodes[node].stale; node = nodes[node].parent) nodes[node].stale = true;
  }
};

}  // namespace wb::solve
