// The rays of a range image, in rows and columns, from one point.
#include "ray_grid.h"

#include <utility>

namespace wb {

RayGrid::RayGrid(size_t columns, const std::vector<Vec3> &directions, std::vector<double> shares)
    : rows_(directions.size() / columns), columns_(columns), shares_(std::move(shares)) {
  for (const Vec3 &one : directions) x_.push_back(one[0]), y_.push_back(one[1]), z_.push_back(one[2]);
}

RayGrid::RayGrid(const Plane &plane, std::vector<double> left, std::vector<double> up)
    : rows_(up.size()), columns_(left.size()), plane_(plane), left_(std::move(left)), up_(std::move(up)) {}

Vec3 RayGrid::way(size_t row, size_t column) const {
  if (is_plane()) return plane_.forward + plane_.to_up * up_[row] + plane_.to_left * left_[column];
  const size_t ray = row * columns_ + column;
  return shares_.empty() ? direction(ray) : direction(ray) * (1 / shares_[ray]);
}

Cone RayGrid::cone(const RayBlock &block) const {
  const auto unit = [&](size_t row, size_t column) {
    return is_plane() ? normalized(way(row, column)) : direction(row * columns_ + column);
  };
  Vec3 sum = kZero;
  each_outer(block, [&](size_t row, size_t column) { sum += unit(row, column); });
  Cone cone;
  if (!(norm(sum) > 1e-9)) return cone;  // all around: the cone is everything
  cone.axis = normalized(sum);
  cone.cosine = 1;
  each_outer(block, [&](size_t row, size_t column) {
    cone.cosine = std::min(cone.cosine, dot(unit(row, column), cone.axis));
  });
  cone.cosine = std::max(-1.0, cone.cosine);
  cone.sine = std::sqrt(std::max(0.0, 1 - cone.cosine * cone.cosine));
  return cone;
}

double RayGrid::stretch(const RayBlock &block) const {
  double most = 1;
  if (!is_plane() && shares_.empty()) return most;
  each_outer(block, [&](size_t row, size_t column) { most = std::max(most, norm(way(row, column))); });
  return most;
}

void RayGrid::aim(const RayBlock &block, RayBatch &rays) const {
  rays.count = block.count();
  if (is_plane()) {
    wb::aim(plane_, left_.data() + block.column, up_.data() + block.row, block.columns, rays);
    return;
  }
  for (size_t y = 0; y < block.rows; ++y) {
    const size_t first = (block.row + y) * columns_ + block.column, at = y * block.columns;
    std::copy_n(x_.data() + first, block.columns, rays.x + at);
    std::copy_n(y_.data() + first, block.columns, rays.y + at);
    std::copy_n(z_.data() + first, block.columns, rays.z + at);
    if (shares_.empty()) continue;
    for (size_t i = 0; i < block.columns; ++i) {
      const double longer = 1 / shares_[first + i];
      rays.x[at + i] *= longer, rays.y[at + i] *= longer, rays.z[at + i] *= longer;
    }
  }
}

void RayGrid::fetch(const RayBlock &block) const {
  if (is_plane()) return;
  constexpr size_t kLine = 64 / sizeof(double);  // numbers that are loaded together
  for (size_t y = block.row; y < block.row + block.rows; ++y) {
    const size_t first = y * columns_ + block.column;
    for (size_t at = first; at < first + block.columns; at += kLine) {
      __builtin_prefetch(x_.data() + at);
      __builtin_prefetch(y_.data() + at);
      __builtin_prefetch(z_.data() + at);
      if (!shares_.empty()) __builtin_prefetch(shares_.data() + at);
    }
  }
}

}  // namespace wb
