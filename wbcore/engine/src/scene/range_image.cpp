// Distances along many rays from one point in the visible world.
#include "range_image.h"

#include <algorithm>
#include <limits>

namespace wb {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr size_t kLeaf = RayBatch::kMost;  // rays of the smallest tiles
// Room for rounding in comparisons that exclude instances.
constexpr double kRoom = 1e-9;

}  // namespace

RangeImage::RangeImage(std::shared_ptr<Scene> scene, uint32_t body, const Pose &offset, size_t columns,
                       std::vector<Vec3> directions, std::vector<double> shares, bool opaque_only)
    : scene_(std::move(scene)),
      body_(body),
      offset_(offset),
      columns_(columns),
      directions_(std::move(directions)),
      shares_(std::move(shares)),
      opaque_only_(opaque_only) {
  if (body_ != kNone) generation_ = scene_->world()->bodies.generation(body_);
  if (!shares_.empty()) least_share_ = *std::min_element(shares_.begin(), shares_.end());
  make_tile(0, rows(), 0, columns_);
}

// Splits along the side that is wider, seen from the origin.
void RangeImage::make_tile(size_t row, size_t rows, size_t column, size_t columns) {
  const size_t at = tiles_.size();
  tiles_.push_back({row, rows, column, columns, kZero, -1, 0});
  set_cone(tiles_[at]);
  if (rows * columns <= kLeaf) return;
  const Vec3 &corner = directions_[row * columns_ + column];
  const Vec3 &below = directions_[(row + rows - 1) * columns_ + column];
  const Vec3 &beside = directions_[row * columns_ + column + columns - 1];
  const bool is_wide =
      rows == 1 || (columns > 1 && (columns > 2 * kLeaf || dot(corner, beside) <= dot(corner, below)));
  const size_t half = (is_wide ? columns : rows) / 2;
  if (is_wide)
    make_tile(row, rows, column, half);
  else
    make_tile(row, half, column, columns);
  tiles_[at].second = static_cast<uint32_t>(tiles_.size());
  if (is_wide)
    make_tile(row, rows, column + half, columns - half);
  else
    make_tile(row + half, rows - half, column, columns);
}

void RangeImage::set_cone(Tile &tile) const {
  Vec3 sum = kZero;
  const auto each = [&](auto &&visit) {
    for (size_t y = tile.row; y < tile.row + tile.rows; ++y)
      for (size_t x = tile.column; x < tile.column + tile.columns; ++x) visit(directions_[y * columns_ + x]);
  };
  each([&](const Vec3 &one) { sum += one; });
  if (!(norm(sum) > kRoom)) return;  // all around: the cone is everything
  tile.axis = normalized(sum);
  tile.cosine = 1;
  each([&](const Vec3 &one) { tile.cosine = std::min(tile.cosine, dot(one, tile.axis)); });
  tile.cosine = std::max(-1.0, tile.cosine);
  tile.sine = std::sqrt(std::max(0.0, 1 - tile.cosine * tile.cosine));
}

void RangeImage::hide(const std::vector<uint32_t> &instances) {
  hidden_.clear();
  for (uint32_t one : instances) {
    if (one >= hidden_.size()) hidden_.resize(one + size_t{1});
    hidden_[one] = true;
  }
}

void RangeImage::find_bounds(double reach) {
  bounds_.clear();
  const Pose world = inverse(pose_);  // in the frame of the rays
  scene_->each_sphere(opaque_only_, [&](uint32_t instance, const Vec3 &center, double radius) {
    if (instance < hidden_.size() && hidden_[instance]) return;
    Bound b;
    b.center = local_point(pose_, center);
    b.distance = norm(b.center);
    b.radius = radius + kRoom * (1 + radius + b.distance);
    b.nearest = std::max(0.0, b.distance - b.radius);
    if (b.nearest > reach) return;
    b.sine = b.nearest > 0 ? b.radius / b.distance : 1;
    b.cosine = b.nearest > 0 ? std::sqrt(1 - b.sine * b.sine) : 0;
    b.instance = instance;
    bounds_.push_back(b);
    if (instance >= seen_.size()) seen_.resize(instance + size_t{1});
    seen_[instance] = world * scene_->pose(instance);
  });
  std::stable_sort(bounds_.begin(), bounds_.end(),
                   [](const Bound &a, const Bound &b) { return a.nearest < b.nearest; });
}

// The angle between the axes is at most the sum of the half angles.
bool RangeImage::meets(const Tile &tile, const Bound &bound) {
  if (bound.nearest <= 0 || tile.sine * bound.cosine + tile.cosine * bound.sine <= 0) return true;
  const double least = tile.cosine * bound.cosine - tile.sine * bound.sine - kRoom;
  return dot(tile.axis, bound.center) >= least * bound.distance;
}

void RangeImage::trace(uint32_t number, size_t from, const RangeLimits &limits, float *ranges) {
  const Tile &tile = tiles_[number];
  const size_t begin = std::max(begin_, tile.column), end = std::min(end_, tile.column + tile.columns);
  if (begin >= end) return;
  const size_t to = met_.size();
  for (size_t i = from; i < to; ++i) {
    const uint32_t bound = met_[i];
    if (meets(tile, bounds_[bound])) met_.push_back(bound);
  }
  if (tile.second) {
    trace(number + 1, to, limits, ranges);
    trace(tile.second, to, limits, ranges);
  } else {
    if (number + size_t{1} < tiles_.size()) fetch(tiles_[number + 1], tile);
    trace_leaf(tile, to, limits, ranges);
  }
  met_.resize(to);
}

// Loads the rays that come next, while those of a tile are measured: the processor does not expect their
// rows.
void RangeImage::fetch(const Tile &next, const Tile &like) const {
  constexpr size_t kLine = 64;  // bytes that are loaded together
  const size_t first = next.row * columns_ + next.column;
  for (size_t y = 0; y < like.rows && next.row + y < rows(); ++y) {
    const Vec3 *ray = directions_.data() + first + y * columns_;
    for (size_t at = 0; at < like.columns * sizeof(Vec3); at += kLine)
      __builtin_prefetch(reinterpret_cast<const char *>(ray) + at);
    if (!shares_.empty()) __builtin_prefetch(shares_.data() + first + y * columns_);
  }
}

void RangeImage::trace_leaf(const Tile &tile, size_t from, const RangeLimits &limits, float *ranges) {
  const size_t begin = std::max(begin_, tile.column), end = std::min(end_, tile.column + tile.columns);
  if (from == met_.size()) {
    for (size_t y = tile.row; y < tile.row + tile.rows; ++y)
      std::fill(ranges + y * columns_ + begin, ranges + y * columns_ + end, static_cast<float>(kInfinity));
    return;
  }
  rays_.count = 0;
  for (size_t y = tile.row; y < tile.row + tile.rows; ++y) {
    for (size_t x = begin; x < end; ++x) {
      const size_t ray = y * columns_ + x, i = rays_.count++;
      const Vec3 &direction = directions_[ray];
      numbers_[i] = ray;
      rays_.x[i] = direction[0], rays_.y[i] = direction[1], rays_.z[i] = direction[2];
      rays_.start[i] = shares_.empty() ? limits.near : limits.near / shares_[ray];
      rays_.length[i] = kInfinity;
    }
  }
  for (size_t i = from; i < met_.size(); ++i) {
    const Bound &bound = bounds_[met_[i]];
    if (bound.nearest > *std::max_element(rays_.length, rays_.length + rays_.count)) break;
    if (!scene_->measure(bound.instance, seen_[bound.instance], rays_)) cast(bound, limits.near);
  }
  for (size_t i = 0; i < rays_.count; ++i)
    ranges[numbers_[i]] =
        static_cast<float>(shares_.empty() ? rays_.length[i] : rays_.length[i] * shares_[numbers_[i]]);
}

// The rays of a tile, one after the other, from where they begin to see.
void RangeImage::cast(const Bound &bound, double near) {
  for (size_t i = 0; i < rays_.count; ++i) {
    if (bound.nearest > rays_.length[i]) continue;
    const double start = near > 0 ? rays_.start[i] : 0;
    const Vec3 local = {rays_.x[i], rays_.y[i], rays_.z[i]};
    const double along = dot(local, bound.center);
    const double square = bound.distance * bound.distance - along * along;  // of its distance from the ray
    if (square > bound.radius * bound.radius || along + bound.radius < start) continue;
    const Vec3 direction = pose_.rotation * local;
    SceneHit hit{rays_.length[i] - start};
    scene_->cast_instance(bound.instance, {pose_.position + direction * start, direction}, true, hit);
    if (hit.instance >= 0) rays_.length[i] = hit.length + start;
  }
}

void RangeImage::capture(const RangeLimits &limits, size_t first, size_t count, float *ranges) {
  scene_->sync();
  pose_ = body_ == kNone ? offset_ : scene_->body_pose(body_) * offset_;
  find_bounds(limits.most / least_share_);
  float *target = ranges;
  if (limits.kept > 0) {
    fresh_.resize(directions_.size());
    target = fresh_.data();
  }
  met_.resize(bounds_.size());
  for (uint32_t i = 0; i < met_.size(); ++i) met_[i] = i;
  each_span(first, count, [&](size_t begin, size_t end) {
    begin_ = begin, end_ = end;
    trace(0, 0, limits, target);
    finish(limits, ranges);
  });
}

// Minimum and maximum, the previous picture, noise and rounding, row by row.
void RangeImage::finish(const RangeLimits &limits, float *ranges) {
  const float *fresh = limits.kept > 0 ? fresh_.data() : ranges;
  Random &random = scene_->world()->random;
  const auto limited = [&](double value) {
    return value >= limits.least && value < limits.most ? value : kInfinity;
  };
  const bool is_plain = !(limits.kept > 0) && !(limits.deviation > 0) && !(limits.resolution > 0);
  for (size_t y = 0; y < rows(); ++y) {
    if (is_plain) {
      for (size_t at = y * columns_ + begin_; at < y * columns_ + end_; ++at)
        ranges[at] = static_cast<float>(limited(ranges[at]));
      continue;
    }
    for (size_t at = y * columns_ + begin_; at < y * columns_ + end_; ++at) {
      double value = limited(fresh[at]);
      if (limits.kept > 0 && std::isfinite(ranges[at]) && std::isfinite(value))
        value += (ranges[at] - value) * limits.kept;
      if (limits.deviation > 0 && std::isfinite(value)) value += limits.deviation * random.gaussian();
      if (limits.resolution > 0) value = std::floor(value / limits.resolution + 0.5) * limits.resolution;
      ranges[at] = static_cast<float>(limited(value));
    }
  }
}

void RangeImage::place(const float *ranges, size_t first, size_t count, double time, double step,
                       LidarPoint *points) const {
  // A coordinate of an infinite point is infinite too, but 0 stays 0.
  const auto along = [](double length, double share) {
    return static_cast<float>(share == 0 ? 0 : length * share);
  };
  double start = time;
  each_span(first, count, [&](size_t begin, size_t end) {
    for (size_t y = 0; y < rows(); ++y) {
      for (size_t x = begin; x < end; ++x) {
        const size_t at = y * columns_ + x;
        const double length = ranges[at] / (shares_.empty() ? 1 : shares_[at]);
        const Vec3 &d = directions_[at];
        points[at] = {along(length, d[0]), along(length, d[1]), along(length, d[2]), static_cast<int32_t>(y),
                      static_cast<float>(start + static_cast<double>(x - begin) * step)};
      }
    }
    start += static_cast<double>(end - begin) * step;
  });
}

}  // namespace wb
