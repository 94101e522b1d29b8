// Casting rays: each looks only at the geoms whose bounds it meets, nearest hit first to count.
#include <algorithm>

#include "world.h"

namespace wb {
namespace {

constexpr int kMostHits = 16;

// Distance of the nearest hit within `length`; on equal distances the older geom wins, whatever the order of
// the search.
struct Nearest {
  double length;
  int32_t geom = -1;
  uint64_t order = 0;
  Vec3 normal = kZero;

  void offer(const dContactGeom &hit, uint32_t slot, const Geom &g) {
    if (hit.depth > length || (hit.depth == length && geom >= 0 && g.order >= order)) return;
    length = hit.depth;
    geom = static_cast<int32_t>(slot);
    order = g.order;
    normal = {hit.normal[0], hit.normal[1], hit.normal[2]};
  }
};

}  // namespace

uint32_t World::add_rays(RaySet set) {
  check_change();
  set.results = std::make_shared<RayResults>(set.origins.size());
  set.results->distances = set.lengths;
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

void World::cast_ray(RaySet &set, size_t i, const Pose &pose) {
  const Vec3 origin = pose * set.origins[i], direction = pose.rotation * set.directions[i];
  dGeomRaySet(ray_, origin[0], origin[1], origin[2], direction[0], direction[1], direction[2]);
  dGeomRaySetLength(ray_, set.lengths[i]);
  Nearest nearest{set.lengths[i]};
  const auto look = [&](uint32_t slot, double) {
    const Geom &g = geoms[slot];
    if (ray_passes(set, g)) return nearest.length;
    dContactGeom hits[kMostHits];
    const int count = dCollide(ray_, g.ode.id(), kMostHits, hits, sizeof(dContactGeom));
    for (int k = 0; k < count; ++k) nearest.offer(hits[k], slot, g);
    return nearest.length;
  };
  for (uint32_t slot : pairs_.unbounded()) look(slot, 0);
  pairs_.tree().cast(Segment(origin, direction), nearest.length, look);
  RayResults &results = *set.results;
  results.distances[i] = nearest.length;
  results.geoms[i] = nearest.geom;
  std::copy(nearest.normal.begin(), nearest.normal.end(), results.normals.begin() + 3 * i);
}

void World::cast(uint32_t slot) {
  RaySet &set = rays[slot];
  const Pose pose = set.body == kNone ? set.offset : body_pose(set.body) * set.offset;
  for (size_t i = 0; i < set.origins.size(); ++i) cast_ray(set, i, pose);
}

// The geoms' bounds are those of the present poses when this is called.
void World::cast_due() {
  for (uint32_t slot : rays.live()) {
    RaySet &set = rays[slot];
    if (!set.enabled || set.every == 0 || steps < set.next) continue;
    set.next = steps + set.every;
    cast(slot);
  }
}

}  // namespace wb
