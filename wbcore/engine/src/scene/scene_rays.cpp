// Rays of one sensor in the visible world.
#include "scene_rays.h"

#include <algorithm>

namespace wb {

void SceneRays::cast() {
  scene->sync();
  const Pose pose = body == kNone ? offset : scene->body_pose(body) * offset;
  const uint32_t from = scene->carrier_number(body);
  const size_t count = directions.size();
  hits.clear();
  aimed.clear();
  for (size_t i = 0; i < count; ++i) {
    aimed.push_back({pose.position, ode_direction(pose.rotation * directions[i])});
    hits.push_back(scene->cast(aimed[i], length, front_only, from));
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
