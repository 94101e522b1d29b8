// Block elimination along the trees of an island, for the places that the rows have.
#pragma once

#include "equations.h"
#include "node_factors.h"

namespace wb::solve {

class Elimination {
 public:
  explicit Elimination(const Kernels &kernels) : kernels_(kernels) {}

  // Memory for the factors of all nodes, and what they begin with.
  void fit(Equations &eq);
  // Eliminates the nodes that are stale, from the leaves to the roots.
  void factor(Equations &eq);
  // Accelerations of the bodies and forces of the eliminated rows, from the roots to the leaves.
  void substitute(Equations &eq);

  // Solves with the factors for other right sides: forces on the bodies in `bodies` (16 numbers each, of
  // which the first 6 are read and the accelerations written to the 6 from number 8 on) and right sides of
  // rows in `rows`, which become forces of the eliminated ones.
  void solve(const Equations &eq, double *bodies, double *rows);
  // The same, and adds the result to the solution.
  void solve_and_add(Equations &eq, double *bodies, double *rows);

  // The most by which elimination lessened a diagonal, as a factor.
  double growth(const Equations &eq);

  const Kernels &kernels() const { return kernels_; }
  NodeFactors factors(const Node &n) { return {base_ + n.memory, n.free_rows, n.lanes}; }

  uint64_t nodes_factored = 0;

 private:
  const Kernel &kernel(const Node &n) const { return kernels_.for_rows(n.free_rows, n.has_input); }
  static void fill_matrices(const Equations &eq, const Node &n, NodeMatrices &matrices);
  void factor_node(Equations &eq, size_t at);
  void factor_input(Equations &eq, Node &n, const NodeMatrices &matrices);
  void factor_gathered(Equations &eq, Node &n);
  void load_body(const Equations &eq, const Node &n, double *body);
  void load_rows(const Equations &eq, const Node &n, const NodeFactors &f);
  void go_up(const Equations &eq, double *bodies, double *rows);
  void go_down(const Equations &eq, double *bodies, double *rows);

  const Kernels &kernels_;
  std::vector<NodeMatrices> matrices_;  // by node
  std::vector<double> arena_, z_, whole_;
  std::vector<int32_t> free_;
  std::vector<const double *> gains_;
  NodeInput gathered_;  // with memory only
  alignas(64) double springs_[48] = {};
  double *base_ = nullptr;
};

}  // namespace wb::solve
