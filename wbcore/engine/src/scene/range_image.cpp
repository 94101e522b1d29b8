// Distances along many rays from one point in the visible world.
#include "range_image.h"

#include <sched.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace wb {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr size_t kLeaf = RayBatch::kMost;  // rays of the smallest tiles
// Room for rounding in comparisons that exclude instances.
constexpr double kRoom = 1e-9;
// Rays from which on threads pay: waking one takes as long as some thousand rays.
constexpr size_t kThreaded = 1 << 15;
constexpr size_t kPieces = 16;  // so that threads end at about the same time
constexpr size_t kThreads = 4;

// Processors that this process may use, up to a limit.
size_t threads() {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable)) return 1;
  return std::clamp<size_t>(CPU_COUNT(&usable), 1, kThreads);
}

}  // namespace

RangeImage::RangeImage(std::shared_ptr<Scene> scene, uint32_t body, const Pose &offset, size_t columns,
                       const std::vector<Vec3> &directions, std::vector<double> shares, bool opaque_only)
    : scene_(std::move(scene)),
      body_(body),
      offset_(offset),
      columns_(columns),
      shares_(std::move(shares)),
      opaque_only_(opaque_only) {
  if (body_ != kNone) generation_ = scene_->world()->bodies.generation(body_);
  if (!shares_.empty()) least_share_ = *std::min_element(shares_.begin(), shares_.end());
  for (const Vec3 &one : directions) x_.push_back(one[0]), y_.push_back(one[1]), z_.push_back(one[2]);
  make_tile(0, rows(), 0, columns_);
  const size_t count = x_.size(), workers = count < kThreaded ? 1 : threads();
  divide(0, workers > 1 ? count / kPieces : count);
  tracings_.resize(pieces_.size());
  if (workers > 1) crew_.emplace(pieces_.size(), workers);
}

// Collects the largest tiles with at most so many rays.
void RangeImage::divide(uint32_t number, size_t most) {
  const Tile &tile = tiles_[number];
  if (!tile.second || tile.rows * tile.columns <= most) {
    pieces_.push_back(number);
    return;
  }
  divide(number + 1, most);
  divide(tile.second, most);
}

// Splits along the side that is wider, seen from the origin.
void RangeImage::make_tile(size_t row, size_t rows, size_t column, size_t columns) {
  const size_t at = tiles_.size();
  tiles_.push_back({row, rows, column, columns, kZero, -1, 0});
  set_cone(tiles_[at]);
  if (rows * columns <= kLeaf) return;
  const Vec3 corner = direction(row * columns_ + column);
  const Vec3 below = direction((row + rows - 1) * columns_ + column);
  const Vec3 beside = direction(row * columns_ + column + columns - 1);
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
      for (size_t x = tile.column; x < tile.column + tile.columns; ++x) visit(direction(y * columns_ + x));
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

void RangeImage::trace(uint32_t number, size_t from, Tracing &tracing) const {
  const Tile &tile = tiles_[number];
  if (std::max(tracing.begin, tile.column) >= std::min(tracing.end, tile.column + tile.columns)) return;
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
    if (number + size_t{1} < tiles_.size()) fetch(tiles_[number + 1], tile);
    trace_leaf(tile, to, tracing);
  }
  met.resize(to);
}

// Loads the rays that come next, while those of a tile are measured: the processor does not expect their
// rows.
void RangeImage::fetch(const Tile &next, const Tile &like) const {
  constexpr size_t kLine = 64 / sizeof(double);  // numbers that are loaded together
  for (size_t y = 0; y < like.rows && next.row + y < rows(); ++y) {
    const size_t first = (next.row + y) * columns_ + next.column;
    for (size_t at = first; at < first + like.columns; at += kLine) {
      __builtin_prefetch(x_.data() + at);
      __builtin_prefetch(y_.data() + at);
      __builtin_prefetch(z_.data() + at);
      if (!shares_.empty()) __builtin_prefetch(shares_.data() + at);
    }
  }
}

void RangeImage::trace_leaf(const Tile &tile, size_t from, Tracing &tracing) const {
  const size_t begin = std::max(tracing.begin, tile.column),
               end = std::min(tracing.end, tile.column + tile.columns);
  float *ranges = tracing.ranges;
  RayBatch &rays = tracing.rays;
  if (from == tracing.met.size()) {
    for (size_t y = tile.row; y < tile.row + tile.rows; ++y)
      std::fill(ranges + y * columns_ + begin, ranges + y * columns_ + end, static_cast<float>(kInfinity));
    return;
  }
  const size_t width = end - begin;
  rays.count = tile.rows * width;
  std::fill_n(rays.length, rays.count, kInfinity);
  std::fill_n(rays.start, rays.count, tracing.near);
  for (size_t y = 0; y < tile.rows; ++y) {
    const size_t first = (tile.row + y) * columns_ + begin, at = y * width;
    std::copy_n(x_.data() + first, width, rays.x + at);
    std::copy_n(y_.data() + first, width, rays.y + at);
    std::copy_n(z_.data() + first, width, rays.z + at);
    if (!shares_.empty() && tracing.near > 0)
      for (size_t i = 0; i < width; ++i) rays.start[at + i] = tracing.near / shares_[first + i];
  }
  for (size_t i = from; i < tracing.met.size(); ++i) {
    const Bound &bound = bounds_[tracing.met[i]];
    if (bound.nearest > longest(rays)) break;
    if (!scene_->measure(bound.instance, seen_[bound.instance], rays)) cast(bound, tracing);
  }
  for (size_t y = 0; y < tile.rows; ++y) {
    const size_t first = (tile.row + y) * columns_ + begin, at = y * width;
    for (size_t i = 0; i < width; ++i) {
      const double share = shares_.empty() ? 1 : shares_[first + i];
      ranges[first + i] = static_cast<float>(rays.length[at + i] * share);
    }
  }
}

// The rays of a tile, one after the other, from where they begin to see.
void RangeImage::cast(const Bound &bound, Tracing &tracing) const {
  RayBatch &rays = tracing.rays;
  for (size_t i = 0; i < rays.count; ++i) {
    if (bound.nearest > rays.length[i]) continue;
    const double start = tracing.near > 0 ? rays.start[i] : 0;
    const Vec3 local = {rays.x[i], rays.y[i], rays.z[i]};
    const double along = dot(local, bound.center);
    const double square = bound.distance * bound.distance - along * along;  // of its distance from the ray
    if (square > bound.radius * bound.radius || along + bound.radius < start) continue;
    const Vec3 direction = pose_.rotation * local;
    SceneHit hit{rays.length[i] - start};
    scene_->cast_instance(bound.instance, {pose_.position + direction * start, direction}, true, hit);
    if (hit.instance >= 0) rays.length[i] = hit.length + start;
  }
}

// The poses of all instances with bounds are settled, so that threads only read the scene.
void RangeImage::capture(const RangeLimits &limits, size_t first, size_t count, float *ranges) {
  scene_->sync();
  pose_ = body_ == kNone ? offset_ : scene_->body_pose(body_) * offset_;
  find_bounds(limits.most / least_share_);
  float *target = ranges;
  if (limits.kept > 0) {
    fresh_.resize(x_.size());
    target = fresh_.data();
  }
  each_span(first, count, [&](size_t begin, size_t end) {
    const auto work = [&, begin, end](size_t piece) {
      Tracing &tracing = tracings_[piece];
      tracing.near = limits.near, tracing.ranges = target;
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

// Minimum and maximum, the previous picture, noise and rounding, row by row.
void RangeImage::finish(const RangeLimits &limits, size_t begin, size_t end, float *ranges) {
  const float *fresh = limits.kept > 0 ? fresh_.data() : ranges;
  Random &random = scene_->world()->random;
  const auto limited = [&](double value) {
    return value >= limits.least && value < limits.most ? value : kInfinity;
  };
  const bool is_plain = !(limits.kept > 0) && !(limits.deviation > 0) && !(limits.resolution > 0);
  for (size_t y = 0; y < rows(); ++y) {
    if (is_plain) {
      for (size_t at = y * columns_ + begin; at < y * columns_ + end; ++at)
        ranges[at] = static_cast<float>(limited(ranges[at]));
      continue;
    }
    for (size_t at = y * columns_ + begin; at < y * columns_ + end; ++at) {
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
        const Vec3 d = direction(at);
        points[at] = {along(length, d[0]), along(length, d[1]), along(length, d[2]), static_cast<int32_t>(y),
                      static_cast<float>(start + static_cast<double>(x - begin) * step)};
      }
    }
    start += static_cast<double>(end - begin) * step;
  });
}

}  // namespace wb
