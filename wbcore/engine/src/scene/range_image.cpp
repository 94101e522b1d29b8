// Distances along many rays from one point in the visible world.
#include "range_image.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "../platform/process.h"

namespace wb {
namespace {

constexpr size_t kLeafRays = RayBatch::kMost;  // rays of the smallest tiles
// Room for rounding in comparisons that exclude instances.
constexpr double kConeRoom = 1e-9;
// Rays from which on threads pay: waking one takes as long as some thousand rays.
constexpr size_t kThreaded = 1 << 15;
constexpr size_t kPieces = 16;  // so that threads end at about the same time
constexpr size_t kThreads = 4;

// About half of a number of rows or columns, if possible a multiple of what vectors hold.
size_t half_of(size_t count) {
  constexpr size_t kLanes = RayBatch::kLanes;
  return count > kLanes ? (count / 2 + kLanes - 1) / kLanes * kLanes : count / 2;
}

}  // namespace

RangeImage::RangeImage(std::shared_ptr<Scene> scene, uint32_t body, const Pose &offset, RayGrid grid,
                       bool opaque_only)
    : scene_(std::move(scene)),
      body_(body),
      offset_(offset),
      grid_(std::move(grid)),
      opaque_only_(opaque_only) {
  if (body_ != kNone) generation_ = scene_->world()->bodies.generation(body_);
  make_tile(grid_.all());
  const size_t count = grid_.all().count(),
               workers = count < kThreaded ? 1 : std::min(usable_processors(), kThreads);
  divide(0, workers > 1 ? count / kPieces : count);
  tracings_.resize(pieces_.size());
  if (workers > 1) crew_.emplace(pieces_.size(), workers);
}

// Collects the largest tiles with at most so many rays.
void RangeImage::divide(uint32_t number, size_t most) {
  const Tile &tile = tiles_[number];
  if (!tile.second || tile.block.count() <= most) {
    pieces_.push_back(number);
    return;
  }
  divide(number + 1, most);
  divide(tile.second, most);
}

// Splits along the side that is wider, seen from the origin, where whole vectors of columns end.
void RangeImage::make_tile(const RayBlock &block) {
  const auto [row, rows, column, columns] = block;
  const size_t at = tiles_.size();
  tiles_.push_back({block, grid_.cone(block), grid_.stretch(block)});
  if (block.count() <= kLeafRays) return;
  const Vec3 corner = normalized(grid_.way(row, column));
  const Vec3 below = normalized(grid_.way(row + rows - 1, column));
  const Vec3 beside = normalized(grid_.way(row, column + columns - 1));
  const bool is_wide =
      rows == 1 || (columns > 1 && (columns > 2 * kLeafRays || dot(corner, beside) <= dot(corner, below)));
  const size_t half = half_of(is_wide ? columns : rows);
  make_tile(is_wide ? RayBlock{row, rows, column, half} : RayBlock{row, half, column, columns});
  tiles_[at].second = static_cast<uint32_t>(tiles_.size());
  make_tile(is_wide ? RayBlock{row, rows, column + half, columns - half}
                    : RayBlock{row + half, rows - half, column, columns});
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
    b.radius = radius + kConeRoom * (1 + radius + b.distance);
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
  const Cone &cone = tile.cone;
  if (bound.nearest <= 0 || cone.sine * bound.cosine + cone.cosine * bound.sine <= 0) return true;
  const double least = cone.cosine * bound.cosine - cone.sine * bound.sine - kConeRoom;
  return dot(cone.axis, bound.center) >= least * bound.distance;
}

void RangeImage::trace(uint32_t number, size_t from, Tracing &tracing) const {
  const Tile &tile = tiles_[number];
  const size_t first = tile.block.column;
  if (std::max(tracing.begin, first) >= std::min(tracing.end, first + tile.block.columns)) return;
  std::vector<uint32_t> &met = tracing.met;
  const size_t to = met.size();
  for (size_t i = from; i < to; ++i) {
    const uint32_t bound = met[i];
    if (meets(tile, bounds_[bound])) met.push_back(bound);
  }
  if (tile.second) {
    trace(number + 1, to, tracing);
    trace(tile.second, to, tracing);
  } else {
    if (number + size_t{1} < tiles_.size()) fetch_next(tile.block, tiles_[number + 1].block);
    trace_leaf(tile, to, tracing);
  }
  met.resize(to);
}

// The tile after a leaf may be a large one: its first leaf is about as large as the one before.
void RangeImage::fetch_next(const RayBlock &leaf, RayBlock next) const {
  next.rows = std::min(next.rows, leaf.rows), next.columns = std::min(next.columns, leaf.columns);
  grid_.fetch(next);
}

void RangeImage::trace_leaf(const Tile &tile, size_t from, Tracing &tracing) const {
  RayBlock block = tile.block;
  const size_t end = std::min(tracing.end, block.column + block.columns);
  block.column = std::max(tracing.begin, block.column);
  block.columns = end - block.column;
  const auto each_row = [&](auto &&write) {
    for (size_t y = 0; y < block.rows; ++y)
      write(y * block.columns, tracing.ranges + (block.row + y) * columns() + block.column);
  };
  if (from == tracing.met.size()) {
    each_row([&](size_t, float *row) { std::fill_n(row, block.columns, static_cast<float>(kInfinity)); });
    return;
  }
  RayBatch &rays = tracing.rays;
  grid_.aim(block, rays);
  rays.start = tracing.limits->near;
  rays.cone = tile.cone;
  begin(rays);
  for (size_t i = from; i < tracing.met.size(); ++i) {
    const Bound &bound = bounds_[tracing.met[i]];
    if (!is_longer(rays, bound.nearest / tile.stretch)) break;
    if (!scene_->measure(bound.instance, seen_[bound.instance], rays)) cast(bound, rays);
  }
  float lengths[RayBatch::kMost];
  write_lengths(rays, tracing.limits->least, tracing.limits->most, lengths);
  each_row([&](size_t at, float *row) { std::copy_n(lengths + at, block.columns, row); });
}

// One after the other, from where they begin to see.
void RangeImage::cast(const Bound &bound, RayBatch &rays) const {
  for (size_t i = 0; i < rays.count; ++i) {
    const Vec3 way = {rays.x[i], rays.y[i], rays.z[i]};
    const double stretch = norm(way), length = rays.length[i] * stretch;
    if (bound.nearest > length) continue;
    const double start = rays.start * stretch;
    const Vec3 local = way * (1 / stretch);
    const double along = dot(local, bound.center);
    const double square = bound.distance * bound.distance - along * along;  // of its distance from the ray
    if (square > bound.radius * bound.radius || along + bound.radius < start) continue;
    const Vec3 direction = pose_.rotation * local;
    SceneHit hit{length - start};
    scene_->cast_instance(bound.instance, {pose_.position + direction * start, direction}, true, hit);
    if (hit.instance >= 0) rays.length[i] = (hit.length + start) / stretch;
  }
}

// The poses of all instances with bounds are settled, so that threads only read the scene.
void RangeImage::capture(const RangeLimits &limits, size_t first, size_t count, float *ranges) {
  scene_->sync();
  pose_ = body_ == kNone ? offset_ : scene_->body_pose(body_) * offset_;
  find_bounds(limits.most * tiles_[0].stretch);
  float *target = ranges;
  if (limits.kept > 0) {
    fresh_.resize(grid_.all().count());
    target = fresh_.data();
  }
  each_span(first, count, [&](size_t begin, size_t end) {
    const auto work = [&, begin, end](size_t piece) {
      Tracing &tracing = tracings_[piece];
      tracing.limits = &limits, tracing.ranges = target;
      tracing.begin = begin, tracing.end = end;
      tracing.met.resize(bounds_.size());
      std::iota(tracing.met.begin(), tracing.met.end(), 0);
      trace(pieces_[piece], 0, tracing);
    };
    if (crew_)
      crew_->share(work);
    else
      for (size_t piece = 0; piece < pieces_.size(); ++piece) work(piece);
    finish(limits, begin, end, ranges);
  });
}

// The previous picture, noise and rounding, row by row, and minimum and maximum again.
void RangeImage::finish(const RangeLimits &limits, size_t begin, size_t end, float *ranges) {
  if (!(limits.kept > 0) && !(limits.deviation > 0) && !(limits.resolution > 0)) return;
  const float *fresh = limits.kept > 0 ? fresh_.data() : ranges;
  Random &random = scene_->world()->random;
  for (size_t y = 0; y < rows(); ++y) {
    for (size_t at = y * columns() + begin; at < y * columns() + end; ++at) {
      double value = fresh[at];
      if (limits.kept > 0 && std::isfinite(ranges[at]) && std::isfinite(value))
        value += (ranges[at] - value) * limits.kept;
      if (limits.deviation > 0 && std::isfinite(value)) value += limits.deviation * random.gaussian();
      if (limits.resolution > 0) value = std::floor(value / limits.resolution + 0.5) * limits.resolution;
      ranges[at] = static_cast<float>(value >= limits.least && value < limits.most ? value : kInfinity);
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
        const size_t at = y * columns() + x;
        const double length = ranges[at];
        const Vec3 d = grid_.way(y, x);
        points[at] = {along(length, d[0]), along(length, d[1]), along(length, d[2]), static_cast<int32_t>(y),
                      static_cast<float>(start + static_cast<double>(x - begin) * step)};
      }
    }
    start += static_cast<double>(end - begin) * step;
  });
}

}  // namespace wb
