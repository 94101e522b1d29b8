// Block elimination along the trees of an island, for the places that the rows have.
#include "elimination.h"

#include <algorithm>

namespace wb::solve {
namespace {

constexpr double kZeros[8] = {};

// Into zeros.
void put_mass(const Node &n, double *h) {
  h[0] = h[9] = h[18] = n.mass;
  h[27] = n.inertia[0], h[28] = n.inertia[1], h[29] = n.inertia[2];
  h[36] = n.inertia[3], h[37] = n.inertia[4], h[45] = n.inertia[5];
}

// Of the triangle, whole pairs of numbers, which compilers take at once; those below the diagonal mean
// nothing. The first one of several is written over what was there.
[[gnu::always_inline]] inline void add_spring(const Row &row, double *h, bool first) {
  const double *j = row.child;
  const double g[8] = {j[0], j[1], j[2], j[3], j[4], j[5], row.rhs, 0}, stiffness = row.stiffness;
  for (int i = 0; i < 6; ++i) {
    const double force = g[i] * stiffness;
    for (int c = i & ~1; c < 8; ++c) h[i * 8 + c] = (first ? 0 : h[i * 8 + c]) + force * g[c];
  }
}

// The force of a row at a bound.
void push(const Row &row, NodeInput &input) {
  add_scaled(input.force, row.child, row.x);
  if (row.other != kNothing) add_scaled(input.above, row.parent, row.x);
}

}  // namespace

void Elimination::fit(Equations &eq) {
  size_t numbers = 0;
  int32_t most = 8;
  if (matrices_.size() < eq.nodes.size()) matrices_.resize(eq.nodes.size());
  for (size_t at = 0; at < eq.nodes.size(); ++at) {
    Node &n = eq.nodes[at];
    n.memory = numbers;
    n.has_input = n.eliminated_rows == 0 ||
                  (n.eliminated_rows >= NodeInput::kLeast && n.eliminated_rows <= NodeInput::kMost);
    numbers += NodeFactors::numbers(n.eliminated_rows);
    most = std::max(most, n.eliminated_rows);
    if (n.has_input) fill_matrices(eq, n, matrices_[at]);
  }
  if (arena_.size() < numbers + 8) arena_.resize(numbers + 8);
  if (z_.size() < static_cast<size_t>(most)) z_.resize(static_cast<size_t>(most)), free_.resize(z_.size());
  if (whole_.size() < NodeFactors::whole_rows_of(most)) whole_.resize(NodeFactors::whole_rows_of(most));
  gathered_.whole = whole_.data();
  const uintptr_t past = reinterpret_cast<uintptr_t>(arena_.data()) % 64;
  base_ = arena_.data() + (past > 0 ? (64 - past) / sizeof(double) : 0);
}

void Elimination::fill_matrices(const Equations &eq, const Node &n, NodeMatrices &matrices) {
  put_mass(n, matrices.body);
  if (matrices.lanes != n.eliminated_rows) std::fill_n(matrices.across, 48, 0.0);
  matrices.lanes = n.eliminated_rows;
  double *column = matrices.across;
  for (int32_t r = n.row_begin; r < n.row_end; ++r) {
    const Row &row = eq.rows[r];
    if (!row.eliminated) continue;
    for (int i = 0; i < 6; ++i) column[i * 8] = row.child[i];
    ++column;
  }
}

void Elimination::factor(Equations &eq) {
  for (size_t i = eq.nodes.size(); i-- > 0;)
    if (eq.nodes[i].stale) factor_node(eq, i);
}

void Elimination::factor_node(Equations &eq, size_t at) {
  Node &n = eq.nodes[at];
  n.has_input ? factor_input(eq, n, matrices_[at]) : factor_gathered(eq, n);
  n.stale = false;
  ++nodes_factored;
}

// Rows at bounds are left out, and their forces act on the two bodies.
void Elimination::factor_input(Equations &eq, Node &n, const NodeMatrices &matrices) {
  NodeInput input;
  input.body = matrices.body, input.across = matrices.across;
  copy_six(n.force, input.force);
  std::fill_n(input.above, 6, 0.0);
  std::fill_n(input.free, 8, 0.0);
  const int32_t used = n.eliminated_rows;
  n.free_rows = used, n.lanes = 8;
  int32_t lane = 0, *list = factors(n).list;
  bool springs = false;
  const Row *const rows = eq.rows.data();
  for (int32_t r = n.row_begin; r < n.row_end; ++r) {
    const Row &row = rows[r];
    const bool is_free = row.place == Place::free;
    if (!is_free) {
      if (row.x != 0) push(row, input);
    } else if (!row.eliminated) {
      springs ? add_spring(row, springs_, false) : add_spring(row, springs_, true);
      springs = true;
    }
    if (!row.eliminated) continue;
    input.free[lane] = is_free;
    input.upward[lane] = is_free && row.other != kNothing ? row.parent : kZeros;
    input.right[lane] = is_free ? row.rhs : 0, input.softness[lane] = is_free ? row.cfm : 0;
    list[lane++] = r;
  }
  gains_.clear();
  for (int32_t c = n.first_child; c != kNothing; c = eq.nodes[c].next_sibling)
    gains_.push_back(base_ + eq.nodes[c].memory + NodeFactors::kToParent);
  if (springs) gains_.push_back(springs_);
  input.gains = gains_.data(), input.gain_count = static_cast<int>(gains_.size());
  kernel(n).eliminate(base_ + n.memory, input, used, n.lanes);
}

void Elimination::load_body(const Equations &eq, const Node &n, double *h) {
  std::fill_n(h, 48, 0.0);
  put_mass(n, h);
  for (int i = 0; i < 6; ++i) h[i * 8 + 6] = n.force[i];
  for (int32_t c = n.first_child; c != kNothing; c = eq.nodes[c].next_sibling) {
    const double *gain = base_ + eq.nodes[c].memory + NodeFactors::kToParent;
    for (int i = 0; i < 48; ++i) h[i] += gain[i];
  }
}

// Springs and forces at bounds go to the matrix and force of the body; the list of free rows is left in
// `free_`.
void Elimination::factor_gathered(Equations &eq, Node &n) {
  double *memory = base_ + n.memory, *h = memory, *gain = memory + NodeFactors::kToParent;
  load_body(eq, n, h);
  std::fill_n(gain, 48, 0.0);
  n.free_rows = 0;
  for (int32_t r = n.row_begin; r < n.row_end; ++r) {
    const Row &row = eq.rows[r];
    if (row.place == Place::free && row.eliminated) {
      free_[n.free_rows++] = r;
    } else if (row.place == Place::free) {
      add_spring(row, h, false);
    } else if (row.x != 0) {
      for (int i = 0; i < 6; ++i) h[i * 8 + 6] += row.child[i] * row.x;
      if (row.other != kNothing)
        for (int i = 0; i < 6; ++i) gain[i * 8 + 6] += row.parent[i] * row.x;
    }
  }
  n.lanes = NodeFactors::lanes_for(n.free_rows);
  load_rows(eq, n, factors(n));
  kernel(n).eliminate(memory, gathered_, n.free_rows, n.lanes);
}

void Elimination::load_rows(const Equations &eq, const Node &n, const NodeFactors &f) {
  const int k = n.free_rows, lanes = n.lanes;
  std::fill_n(f.across, 6 * lanes, 0.0);
  std::fill_n(f.rows, k * lanes, 0.0);
  for (int r = 0; r < k; ++r) {
    const Row &row = eq.rows[free_[r]];
    f.list[r] = free_[r];
    for (int i = 0; i < 6; ++i) f.across[i * lanes + r] = row.child[i];
    std::copy_n(row.other == kNothing ? kZeros : row.parent, 6, f.upward + r * 8);
    f.upward[r * 8 + 6] = row.rhs, f.upward[r * 8 + 7] = 0;
    f.rows[r * lanes + r] = row.cfm;
  }
}

double Elimination::growth(const Equations &eq) {
  double most = 0;
  for (const Node &n : eq.nodes) most = std::max(most, *factors(n).growth);
  return most;
}

void Elimination::substitute(Equations &eq) {
  double *x = z_.data();
  for (Node &n : eq.nodes) {
    double *memory = base_ + n.memory;
    const NodeFactors f = factors(n);
    const double *above = n.parent == kNothing ? kZeros : eq.nodes[n.parent].a;
    kernel(n).substitute({memory, f.upward + 6, memory + 6, 8, above, x, n.a}, n.free_rows, n.lanes);
    double unused;
    for (int r = 0; r < n.free_rows; ++r) {
      Row &row = eq.rows[f.list[r]];
      *(row.place == Place::free ? &row.x : &unused) = x[r];
    }
  }
}

void Elimination::solve(const Equations &eq, double *bodies, double *rows) {
  go_up(eq, bodies, rows);
  go_down(eq, bodies, rows);
}

void Elimination::solve_and_add(Equations &eq, double *bodies, double *rows) {
  solve(eq, bodies, rows);
  for (size_t at = 0; at < eq.nodes.size(); ++at) {
    Node &n = eq.nodes[at];
    for (size_t i = 0; i < 6; ++i) n.a[i] += bodies[at * 16 + 8 + i];
    const int32_t *list = factors(n).list;
    for (int r = 0; r < n.free_rows; ++r) eq.rows[list[r]].x += rows[list[r]];
  }
}

void Elimination::go_up(const Equations &eq, double *bodies, double *rows) {
  double *z = z_.data(), nowhere[6] = {};
  for (size_t at = eq.nodes.size(); at-- > 0;) {
    const Node &n = eq.nodes[at];
    const NodeFactors f = factors(n);
    double *b = bodies + at * 16, *parent = n.parent == kNothing ? nowhere : bodies + n.parent * 16;
    for (int32_t r = n.row_begin; r < n.row_end; ++r)
      if (eq.rows[r].place == Place::free && !eq.rows[r].eliminated)
        add_scaled(b, eq.rows[r].child, rows[r] * eq.rows[r].stiffness);
    for (int r = 0; r < n.free_rows; ++r) z[r] = rows[f.list[r]];
    kernel(n).reduce(base_ + n.memory, n.free_rows, n.lanes, b, z, parent);
    for (int r = 0; r < n.free_rows; ++r) rows[f.list[r]] = z[r];
  }
}

void Elimination::go_down(const Equations &eq, double *bodies, double *rows) {
  double *z = z_.data();
  for (size_t at = 0; at < eq.nodes.size(); ++at) {
    const Node &n = eq.nodes[at];
    const int32_t *list = factors(n).list;
    double *b = bodies + at * 16;
    const double *above = n.parent == kNothing ? kZeros : bodies + n.parent * 16 + 8;
    for (int r = 0; r < n.free_rows; ++r) z[r] = rows[list[r]];
    kernel(n).substitute({base_ + n.memory, z, b, 1, above, z, b + 8}, n.free_rows, n.lanes);
    for (int r = 0; r < n.free_rows; ++r) rows[list[r]] = z[r];
  }
}

}  // namespace wb::solve
