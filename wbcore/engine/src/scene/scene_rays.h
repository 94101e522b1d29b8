// Rays of one sensor in the visible world.
#pragma once

#include "scene.h"

namespace wb {

struct SceneRays {
  std::shared_ptr<Scene> scene;
  uint32_t body = kNone, generation = 0;  // what they follow; kNone: fixed in the world
  Pose offset;
  std::vector<Vec3> directions;  // unit vectors in the frame of the rays, all from its origin
  double length = 1;             // m
  bool front_only = true;
  bool passes_clear = false;            // they go on behind what is wholly transparent
  std::shared_ptr<RayResults> results;  // as arrays; null until somebody reads them
  // The latest hits, and the rays in the world that they belong to.
  std::vector<SceneHit> hits;
  std::vector<AimedRay> aimed;

  bool is_valid() const { return body == kNone || scene->world()->bodies.holds(body, generation); }
  void cast();
  // The latest hits as arrays, which later casts update.
  const std::shared_ptr<RayResults> &view();
  // The look of what a ray has hit.
  Look look(size_t ray) const { return scene->look(hits[ray], aimed[ray]); }

 private:
  SceneHit cast(const AimedRay &ray, uint32_t from) const;
  void publish();
};

}  // namespace wb
