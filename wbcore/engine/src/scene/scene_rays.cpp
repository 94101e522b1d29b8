// Rays of one sensor in the visible world.
#include "scene_rays.h"

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
    results->distances[i] = hits[i].length;
    results->geoms[i] = hits[i].instance;
    std::copy(hits[i].normal.begin(), hits[i].normal.end(), results->normals.begin() + 3 * i);
  }
  results->cast_at = scene->world()->steps;
}

}  // namespace wb
