// The factors of one node in memory: what is left when its body and its free rows are eliminated.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wb::solve {

// Factors are divided by their pivots, so that neither other rows nor right sides wait for a division. Rows
// of matrices are 8 numbers long, or `lanes` (8 or more) with one lane for each free row. Of the symmetric
// matrices only the upper triangle is kept up; column 6 of 6 x 8 matrices is the right side.
struct NodeFactors {
  double *body;         // 6 x 8: the upper factor of the body's matrix, and its right side
  double *inverse;      // 6: inverse pivots of the body
  double *growth;       // the most by which elimination lessened a diagonal, as a factor
  double *to_parent;    // 6 x 8: what the parent's matrix gains
  double *across;       // 6 x lanes: the rows' Jacobians of this body, eliminated
  double *rows;         // k x lanes: the upper factor of the rows' matrix
  double *upward;       // k x 8: the rows' Jacobians of the parent, eliminated, and their right sides
  double *row_inverse;  // lanes: inverse pivots of the rows; 0: the row depends on those before it
  int32_t *list;        // k: the rows

  [[gnu::always_inline]] NodeFactors(double *memory, int k, int lanes)
      : body(memory),
        inverse(memory + kInverse),
        growth(memory + kGrowth),
        to_parent(memory + kToParent),
        across(memory + kAcross),
        rows(across + 6 * lanes),
        upward(rows + k * lanes),
        row_inverse(upward + k * 8),
        list(reinterpret_cast<int32_t *>(row_inverse + lanes)) {}

  static constexpr int kInverse = 48, kGrowth = 54, kToParent = 56, kAcross = 104;
  static constexpr int lanes_for(int k) { return (k < 8 ? 8 : k + 7) & ~7; }
  // Of rows before their division, for `eliminate_any`.
  static constexpr size_t whole_rows_of(int k) {
    return static_cast<size_t>(6 + k) * static_cast<size_t>(lanes_for(k)) + static_cast<size_t>(k) * 8;
  }
  // Numbers of a node with up to k free rows, a multiple of 8.
  static constexpr size_t numbers(int k) {
    const int lanes = lanes_for(k);
    return static_cast<size_t>((kAcross + 6 * lanes + k * lanes + k * 8 + lanes + lanes / 2 + 7) & ~7);
  }
};

[[gnu::always_inline]] inline double larger(double a, double b) { return b > a ? b : a; }

// The least pivot of a row that is no mere rounding: a share of its diagonal, or of its own softness, which
// is left where it depends on the rows before it.
[[gnu::always_inline]] inline double least_pivot(double diagonal, double softness) {
  const double share = 1e-13 * diagonal;
  return softness > 0 && 0.5 * softness < share ? 0.5 * softness : share;
}

// What a row with Jacobian j has along an acceleration, or another six numbers.
[[gnu::always_inline]] inline double along(const double *j, const double *a) {
  return (j[0] * a[0] + j[1] * a[1]) + (j[2] * a[2] + j[3] * a[3]) + (j[4] * a[4] + j[5] * a[5]);
}

// The matrices of a node before elimination, for nodes whose rows are few: the same for all places of the
// rows.
struct alignas(64) NodeMatrices {
  double body[48] = {};    // 6 x 8: mass and inertia, the upper triangle
  double across[48] = {};  // 6 x 8
  int32_t lanes = 0;       // of `across` that are not zeros
};

// What a node with such matrices is for the places that its rows have. A row that is not free is left out: it
// is zeros.
struct NodeInput {
  static constexpr int kLeast = 5, kMost = 7;  // rows, or none

  const double *body, *across;  // as above
  const double *const *gains;   // 6 x 8 each: of the children, and of springs
  int gain_count;
  alignas(64) double free[8];   // 1 for free rows, otherwise 0
  const double *upward[kMost];  // of 8 numbers, without the right side
  double right[kMost], softness[kMost];
  double force[6], above[6];  // on the body and on the parent
  double *whole;              // for `any`, which takes nothing else: memory of `whole_rows_of` numbers
};

// What substitution takes, and where it leaves the rows' forces and the body's acceleration. The right sides
// after elimination, of rows and body, have `apart` numbers between two.
struct Substitution {
  double *memory;  // of the factors
  const double *right, *body;
  int apart;
  const double *above;  // the parent's acceleration
  double *x, *a;
};

// For nodes with k free rows, whose factors are at `memory`, with the vector instructions of this process.
// `eliminate` takes body and rows out of the system (for `any`, the factors hold the matrices before it).
// `reduce` does the same to another force b on the body and other right sides z of the rows, and adds to the
// force on the parent; it divides b and z by the pivots. `substitute` turns such right sides into the rows'
// forces and the body's acceleration.
struct Kernel {
  void (*eliminate)(double *memory, const NodeInput &input, int k, int lanes);
  void (*reduce)(double *memory, int k, int lanes, double *b, double *z, double *parent);
  void (*substitute)(const Substitution &node, int k, int lanes);
};

struct Row;

// Rows on the edge of a node, the accelerations of the node and its parent, and what their equations lack in
// force, to which the rows add; eight numbers each, of which the last two mean nothing. `residuals`: what
// the free rows lack in acceleration.
struct EdgeRows {
  const Row *rows;
  int count;
  const double *a, *a_above;
  double *force, *force_above, *residuals;
};

struct Kernels {
  Kernel none, five, six, seven, any;
  const Kernel &for_rows(int k, bool has_input) const {
    return !has_input ? any : k == 6 ? six : k == 5 ? five : k == 7 ? seven : none;
  }
  // Of columns with eight lanes each, 6 for the body and k for the rows. `reduce_columns` is `reduce` of up
  // to eight right sides at once, in the first `count` lanes, without the division; parent: null at the root.
  // `add_products` adds what the first `count` lanes of x do to the first `others` of y, through a node, to 8
  // x 8 sums.
  void (*reduce_columns)(const NodeFactors &factors, int k, int lanes, double *columns, double *parent,
                         int count);
  void (*add_products)(const NodeFactors &factors, int k, const double *x, const double *y, int count,
                       int others, double *sums);
  // See `EdgeRows`.
  void (*put_residuals)(const EdgeRows &edge);
};
const Kernels &kernels();

}  // namespace wb::solve
