// Free rows that close cycles: solved in a dense complement of the trees.
#pragma once

#include "elimination.h"

namespace wb::solve {

class ClosingRows {
 public:
  // Forces of closing rows at bounds act on their bodies like those from outside.
  void push(Equations &eq);

  // Forces x of the free closing rows, so that their equations hold, and their effect on the trees' solution.
  void solve(Equations &eq, Elimination &trees);

  // Corrects a solution: `bodies` and `rows` hold what remained in the equations, as in Elimination::solve.
  void correct(Equations &eq, Elimination &trees, double *bodies, double *rows);

 private:
  static constexpr int kWidth = 8;
  // Rows between the same two bodies, up to eight at a time: what elimination along the paths to the roots
  // leaves of them. `at`: where a node's (6 + free rows) x 8 numbers begin.
  struct Group {
    int32_t begin, count;
    int32_t path_begin, path_end;
  };
  struct Stop {
    int32_t node;
    size_t at;
  };
  void collect(const Equations &eq);
  void add_group(const Equations &eq, Elimination &trees, int32_t begin, int32_t count);
  void eliminate_path(const Equations &eq, Elimination &trees, const Group &group);
  void fill_matrix(const Equations &eq, Elimination &trees);
  void add_product(const Equations &eq, Elimination &trees, const Group &a, const Group &b);
  void factor(const Equations &eq);
  void substitute(double *b) const;
  void push_through(Equations &eq, Elimination &trees);

  std::vector<int32_t> free_;
  std::vector<Group> groups_;
  std::vector<Stop> path_;
  std::vector<double> columns_, matrix_, right_, bodies_, rows_;
};

}  // namespace wb::solve
