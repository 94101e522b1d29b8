// Rays of one sensor in the visible world.
#include "scene_rays.h"

#include <algorithm>

namespace wb {

namespace {
constexpr double kBehind = 1e-9;    // m: where a ray goes on behind a clear surface
constexpr int kMostSurfaces = 256;  // that a ray goes through
}  // namespace

SceneHit SceneRays::cast(const AimedRay &ray, uint32_t from) const {
  SceneHit hit = scene->cast(ray, length, front_only, from);
  if (!passes_clear) return hit;
  for (int k = 0; k < kMostSurfaces && hit.instance >= 0 && scene->is_clear(hit.instance); ++k) {
    const double passed = hit.length + kBehind;
    if (passed >= length) return {length};
    hit = scene->cast({ray.origin + ray.direction * passed, ray.direction}, length - passed, front_only);
    hit.length += passed;
  }
  return hit;
}

void SceneRays::cast() {
  scene->sync();
  const Pose pose = body == kNone ? offset : scene->body_pose(body) * offset;
  const uint32_t from = scene->carrier_number(body);
  const size_t count = directions.size();
  hits.clear();
  aimed.clear();
  for (size_t i = 0; i < count; ++i) {
    aimed.push_back({pose.position, ode_direction(pose.rotation * directions[i])});
    hits.push_back(cast(aimed[i], from));
  }
  if (results) publish();
}

const std::shared_ptr<RayResults> &SceneRays::view() {
  if (!results) {
    results = std::make_shared<RayResults>(directions.size());
    std::fill(results->distances.begin(), results->distances.end(), length);
    publish();
  }
  return results;
}

void SceneRays::publish() {
  for (size_t i = 0; i < hits.size(); ++i) {
    results->distances[i] = hits[i].length;
    results->geoms[i] = hits[i].instance;
    std::copy(hits[i].normal.begin(), hits[i].normal.end(), results->normals.begin() + 3 * i);
  }
}

}  // namespace wb
