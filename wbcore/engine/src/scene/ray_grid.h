// The rays of a range image, in rows and columns, from one point.
//
// The way of a ray is the vector along which what the image measures grows by 1 m: a unit vector, or a longer
// one in images that measure along their axis.
#pragma once

#include <algorithm>
#include <vector>

#include "ray_batch.h"

namespace wb {

// A rectangle of rays.
struct RayBlock {
  size_t row, rows, column, columns;

  size_t count() const { return rows * columns; }
};

class RayGrid {
 public:
  // `directions`: unit vectors, row by row. `shares`: what is measured of the length of each ray, above 0, at
  // most 1; empty: all.
  RayGrid(size_t columns, const std::vector<Vec3> &directions, std::vector<double> shares);
  // Through points of a plane: `left` and `up` have their places by column and row. Measured is the part of
  // the length along `forward`, which is perpendicular to the others.
  RayGrid(const Plane &plane, std::vector<double> left, std::vector<double> up);

  size_t rows() const { return rows_; }
  size_t columns() const { return columns_; }
  RayBlock all() const { return {0, rows_, 0, columns_}; }

  Vec3 way(size_t row, size_t column) const;
  // A cone around rays.
  Cone cone(const RayBlock &block) const;
  // The length of the longest way.
  double stretch(const RayBlock &block) const;
  // Sets the ways of at most `RayBatch::kMost` rays.
  void aim(const RayBlock &block, RayBatch &rays) const;
  // Loads the rays that come next, while others are measured: the processor does not expect their rows.
  void fetch(const RayBlock &block) const;

 private:
  Vec3 direction(size_t ray) const { return {x_[ray], y_[ray], z_[ray]}; }
  // Calls `visit(row, column)` for rays between which all others are: those at the corners of a part of a
  // plane.
  template <class Visit>
  void each_outer(const RayBlock &block, Visit &&visit) const {
    const size_t rows = is_plane() ? std::max<size_t>(block.rows - 1, 1) : 1;
    const size_t columns = is_plane() ? std::max<size_t>(block.columns - 1, 1) : 1;
    for (size_t y = 0; y < block.rows; y += rows)
      for (size_t x = 0; x < block.columns; x += columns) visit(block.row + y, block.column + x);
  }
  bool is_plane() const { return x_.empty(); }

  size_t rows_, columns_;
  Plane plane_{};
  std::vector<double> left_, up_;  // of a plane
  std::vector<double> x_, y_, z_;  // of other directions
  std::vector<double> shares_;
};

}  // namespace wb
