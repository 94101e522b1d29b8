// Casting rays: each is tested only against the geoms whose bounds it meets, nearest first.
#include <algorithm>

#include "world.h"

namespace wb {
namespace {

// Whether the box is entirely on one side of the plane.
bool misses_plane(const dVector4 p, const Box &box) {
  double low = -p[3], high = -p[3];
  for (int i = 0; i < 3; ++i) {
    low += std::min(p[i] * box.low[i], p[i] * box.high[i]);
    high += std::max(p[i] * box.low[i], p[i] * box.high[i]);
  }
  return low > 0 || high < 0;
}

// Whether the ends are on different sides; a ray that starts on the plane crosses it.
bool crosses_plane(const dVector4 p, const AimedRay &ray, double length) {
  const Vec3 n{p[0], p[1], p[2]};
  const double start = dot(n, ray.origin) - p[3], end = start + dot(n, ray.direction) * length;
  return !(start > 0 && end > 0) && !(start < 0 && end < 0);
}

}  // namespace

// The reach is slightly larger than the rays: rounding must not exclude what a ray's end touches.
void RaySet::measure_reach() {
  constexpr double room = 1e-6;
  reach = {origins[0], origins[0]};
  double longest = 0;
  for (size_t i = 0; i < origins.size(); ++i) {
    const Vec3 end = origins[i] + directions[i] * lengths[i];
    reach = reach.merged({origins[i], origins[i]}).merged({end, end});
    longest = std::max({longest, lengths[i], norm(origins[i])});
  }
  for (int k = 0; k < 3; ++k) reach.low[k] -= room * longest, reach.high[k] += room * longest;
}

uint32_t World::add_rays(RaySet set) {
  check_change();
  set.results = std::make_shared<RayResults>(set.origins.size());
  set.results->distances = set.lengths;
  set.measure_reach();
  return rays.add(std::move(set));
}

void World::remove_rays(uint32_t slot) {
  check_change();
  rays.remove(slot);
}

bool World::ray_passes(const RaySet &set, const Geom &g) const {
  if (!g.enabled || g.role == GeomRole::fluid || !(g.category & set.mask)) return true;
  return set.robot >= 0 && g.robot == set.robot && !self_collision(set.robot);
}

// Collects the geoms that any of the rays may meet. Returns false if there are many: then the tree is queried
// for each ray.
bool World::look_around(const RaySet &set, const Pose &pose) {
  constexpr size_t few = 12;
  const Box reach = set.reach.turned(pose);
  in_reach_.clear();
  const auto collect = [&](uint32_t slot) {
    if (!ray_passes(set, geoms[slot])) in_reach_.push_back(slot);
  };
  for (uint32_t slot : pairs_.unbounded())
    if (!misses_plane(geoms[slot].plane, reach)) collect(slot);
  unbounded_in_reach_ = in_reach_.size();
  pairs_.tree().query(reach, [&](uint32_t slot) {
    if (geoms[slot].bounds.overlaps(reach)) collect(slot);
  });
  return in_reach_.size() <= unbounded_in_reach_ + few;
}

void World::look(const AimedRay &ray, double length, uint32_t slot, bool front_only, Nearest &nearest) {
  const Geom &g = geoms[slot];
  probe_.look(ray, length, g.shape, g.ode.id(), front_only, slot, g.order, nearest);
}

void World::cast_ray(RaySet &set, size_t i, bool few) {
  const AimedRay &ray = aimed_[i];
  const double length = set.lengths[i];
  Nearest nearest{length};
  for (size_t k = 0; k < unbounded_in_reach_; ++k)
    if (crosses_plane(geoms[in_reach_[k]].plane, ray, nearest.length))
      look(ray, length, in_reach_[k], set.front_only, nearest);
  if (!few || in_reach_.size() > unbounded_in_reach_) {
    const Segment segment(ray.origin, ray.direction);
    const auto look_in_box = [&](uint32_t slot) {
      if (segment.entry(geoms[slot].bounds, nearest.length) <= nearest.length)
        look(ray, length, slot, set.front_only, nearest);
    };
    if (few)
      std::for_each(in_reach_.begin() + unbounded_in_reach_, in_reach_.end(), look_in_box);
    else
      pairs_.tree().cast(segment, length, [&](uint32_t slot, double) {
        if (!ray_passes(set, geoms[slot])) look_in_box(slot);
        return nearest.length;
      });
  }
  RayResults &results = *set.results;
  results.distances[i] = nearest.length;
  results.geoms[i] = nearest.geom;
  std::copy(nearest.normal.begin(), nearest.normal.end(), results.normals.begin() + 3 * i);
}

void World::cast(uint32_t slot) {
  update_all_bounds();
  cast_set(rays[slot]);
}

void World::cast_all() {
  update_all_bounds();
  for (uint32_t slot : rays.live())
    if (rays[slot].enabled) cast_set(rays[slot]);
}

void World::cast_set(RaySet &set) {
  const Pose pose = set.body == kNone ? set.offset : body_pose(set.body) * set.offset;
  const bool few = look_around(set, pose);
  set.results->cast_at = steps;
  if (in_reach_.empty()) {
    set.results->clear(set.lengths);
    return;
  }
  aimed_.clear();
  for (size_t i = 0; i < set.origins.size(); ++i)
    aimed_.push_back({pose * set.origins[i], pose.rotation * set.directions[i]});
  for (size_t i = 0; i < set.origins.size(); ++i) cast_ray(set, i, few);
}

// Requires bounds of the current poses.
void World::cast_due() {
  for (uint32_t slot : rays.live()) {
    RaySet &set = rays[slot];
    if (!set.enabled || set.every == 0 || steps < set.next) continue;
    set.next = steps + set.every;
    cast_set(set);
  }
}

}  // namespace wb
