// What is drawn: instances of meshes that follow the bodies of a world, chosen and ordered for each view.
#include "draw_list.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "../errors.h"

namespace wb {
namespace {

Pose pose_in_world(const World &world, const DrawItem &item) {
  if (item.body == kNone) return item.offset;
  const double *p = world.columns.positions.row(item.body), *q = world.columns.quaternions.row(item.body);
  return Pose{{p[0], p[1], p[2]}, to_matrix(require_rotation("orientation", {q[0], q[1], q[2], q[3]}))} *
         item.offset;
}

}  // namespace

uint32_t DrawList::add_mesh(DrawMesh mesh) {
  require(!mesh.levels.empty(), "number of levels", "1 or more", 0);
  meshes_.push_back(std::move(mesh));
  return static_cast<uint32_t>(meshes_.size() - 1);
}

uint32_t DrawList::add(DrawItem item) {
  require(item.mesh < meshes_.size(), "mesh", "a number of the list's meshes", item.mesh);
  items_.push_back(item);
  sorted_ = false;
  return static_cast<uint32_t>(items_.size() - 1);
}

DrawItem &DrawList::item(uint32_t number) {
  require(number < items_.size(), "instance", "a number of the list's instances", number);
  return items_[number];
}

void DrawList::regroup(uint32_t number, uint32_t group) {
  if (items_[number].group == group) return;
  items_[number].group = group;
  sorted_ = false;
}

void DrawList::clear() {
  meshes_.clear();
  items_.clear();
  order_.clear();
  sorted_ = true;
}

void DrawList::move(uint32_t number, const Pose &offset, const Vec3 &scale) {
  DrawItem &moved = item(number);
  sorted_ &= moved.scale == scale;
  moved.offset = offset, moved.scale = scale;
}

double DrawList::radius_of(const DrawItem &item) const {
  const Vec3 &s = item.scale;
  return meshes_[item.mesh].radius * std::max({std::abs(s[0]), std::abs(s[1]), std::abs(s[2])});
}

// The largest instance of a group, and of a mesh in it, says when these are drawn.
void DrawList::sort() {
  std::map<uint32_t, double> groups;
  std::map<std::pair<uint32_t, uint32_t>, double> meshes;
  for (const DrawItem &item : items_) {
    double &group = groups[item.group], &mesh = meshes[{item.group, item.mesh}];
    group = std::max(group, radius_of(item));
    mesh = std::max(mesh, radius_of(item));
  }
  std::vector<std::tuple<double, uint32_t, double, uint32_t, double>> keys;
  keys.reserve(items_.size());
  for (const DrawItem &item : items_)
    keys.emplace_back(groups[item.group], item.group, meshes[{item.group, item.mesh}], item.mesh,
                      std::max(0.0, radius_of(item)));
  order_.resize(items_.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
  sorted_ = true;
}

void DrawList::update() {
  if (!sorted_) sort();
  placed_.resize(items_.size());
  balls_.resize(items_.size());
  for (uint32_t number = 0; number < items_.size(); ++number) place(number);
}

void DrawList::place(uint32_t number) {
  const DrawItem &item = items_[number];
  Ball &ball = balls_[number];
  if (item.body != kNone && !world_->bodies.holds(item.body, item.generation)) {
    ball.radius = -1;
    return;
  }
  const Pose pose = pose_in_world(*world_, item);
  DrawRecord &record = placed_[number];
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k)
      record.rows[4 * i + k] = static_cast<float>(pose.rotation[3 * i + k] * item.scale[k]);
    record.rows[4 * i + 3] = static_cast<float>(pose.position[i]);
  }
  record.material = item.material;
  record.id = item.id;
  record.flags = item.flags;
  record.spare = 0;
  const DrawMesh &mesh = meshes_[item.mesh];
  const Vec3 &s = item.scale, &c = mesh.center;
  ball.center = pose * Vec3{c[0] * s[0], c[1] * s[1], c[2] * s[2]};
  for (int i = 0; i < 3; ++i) {
    ball.half[i] = 0;
    for (int k = 0; k < 3; ++k) ball.half[i] += std::abs(pose.rotation[3 * i + k] * s[k]) * mesh.half[k];
  }
  ball.radius = radius_of(item);
}

Box DrawList::bounds(int raised) const {
  constexpr double kFar = std::numeric_limits<double>::infinity(), kThin = 0.005;  // m
  Box box{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
  double ground = kFar;
  if (raised >= 0)
    for (const Ball &ball : balls_)
      if (ball.radius >= 0) ground = std::min(ground, ball.center[raised] - ball.half[raised]);
  for (size_t i = 0; i < balls_.size(); ++i) {
    const Ball &ball = balls_[i];
    if (ball.radius < 0) continue;
    if (raised >= 0 &&
        (!(items_[i].flags & kCastsShadow) || ball.center[raised] + ball.half[raised] < ground + kThin))
      continue;
    for (int k = 0; k < 3; ++k) {
      box.low[k] = std::min(box.low[k], ball.center[k] - ball.half[k]);
      box.high[k] = std::max(box.high[k], ball.center[k] + ball.half[k]);
    }
  }
  return box;
}

bool DrawList::is_seen(uint32_t number, const DrawView &view, double &distance) const {
  const DrawItem &item = items_[number];
  const Ball &ball = balls_[number];
  if (ball.radius < 0 || (item.hidden & view.mask) || (item.flags & view.wanted) != view.wanted) return false;
  const Vec3 way = ball.center - view.eye;
  const double r = ball.radius, ahead = dot(way, view.forward);
  distance = view.parallel ? ahead : norm(way);
  if (ahead < view.nearest - r || ahead > view.farthest + r) return false;
  const double x = std::abs(dot(way, view.right)), y = std::abs(dot(way, view.up));
  if (view.parallel) return x <= view.reach_x + r && y <= view.reach_y + r;
  return x <= ahead * view.reach_x + r * std::hypot(1, view.reach_x) &&
         y <= ahead * view.reach_y + r * std::hypot(1, view.reach_y);
}

const DrawLevel &DrawList::level_of(uint32_t number, const DrawView &view, double distance) const {
  const auto &levels = meshes_[items_[number].mesh].levels;
  const double r = balls_[number].radius;
  const double reach = view.parallel ? view.reach_y : view.reach_y * std::max(distance - r, 1e-9);
  const double pixels = view.pixels * r / reach;
  for (const DrawLevel &level : levels)
    if (pixels < level.least_pixels) return level;
  return levels.back();
}

void DrawList::add_command(const DrawCommand &command, uint32_t group) {
  if (runs.empty() || runs.back().group != group)
    runs.push_back({group, static_cast<uint32_t>(commands.size()), 0});
  ++runs.back().count;
  commands.push_back(command);
}

void DrawList::flush_level(const DrawLevel &level, uint32_t group, std::vector<uint32_t> &numbers) {
  if (numbers.empty()) return;
  const auto first = static_cast<uint32_t>(records.size());
  for (uint32_t number : numbers) records.push_back(placed_[number]);
  add_command({level.count, static_cast<uint32_t>(numbers.size()), level.first, level.base, first}, group);
  numbers.clear();
}

void DrawList::choose(const DrawView &view) {
  if (!sorted_ || placed_.size() != items_.size()) update();
  records.clear();
  commands.clear();
  runs.clear();
  far_to_near_.clear();
  for (size_t start = 0, end = 0; start < order_.size(); start = end) {
    const DrawItem &first = items_[order_[start]];
    const auto &levels = meshes_[first.mesh].levels;
    waiting_.resize(std::max(waiting_.size(), levels.size()));
    for (; end < order_.size(); ++end) {
      const uint32_t number = order_[end];
      const DrawItem &item = items_[number];
      if (item.group != first.group || item.mesh != first.mesh) break;
      double distance = 0;
      if (!is_seen(number, view, distance)) continue;
      if (item.flags & kTransparent)
        far_to_near_.emplace_back(-distance, number);
      else
        waiting_[&level_of(number, view, distance) - levels.data()].push_back(number);
    }
    for (size_t k = 0; k < levels.size(); ++k) flush_level(levels[k], first.group, waiting_[k]);
  }
  std::sort(far_to_near_.begin(), far_to_near_.end());
  for (const auto &[distance, number] : far_to_near_) {
    const DrawLevel &level = level_of(number, view, -distance);
    records.push_back(placed_[number]);
    add_command({level.count, 1, level.first, level.base, static_cast<uint32_t>(records.size() - 1)},
                items_[number].group);
  }
}

}  // namespace wb
