// Rays of one sensor in the visible world.
#pragma once

#include <span>

#include "scene.h"

namespace wb {

struct SceneRays;

// What rays of a body may hit of the body's own shapes. Both move together, so it remains the same but for
// rounding: most shapes of a robot are never in the way of its sensors.
class OwnShapes {
 public:
  // Notes another cast, and searches the shapes before it if they have stayed for some casts.
  void follow(const Scene &scene, uint32_t carrier, const SceneRays &rays);
  // Of a ray that begins at `origin` in the world.
  RayHome home(uint32_t carrier, size_t ray, const Vec3 &origin) const;

 private:
  void search(const Scene &scene, uint32_t carrier, const SceneRays &rays);

  uint64_t planting_ = 0;
  uint32_t casts_ = 0;                      // since it changed
  std::vector<uint32_t> instances_, ends_;  // those of each ray follow those of the ray before
};

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
  SceneHit cast(const AimedRay &ray, const RayHome &home) const;
  void publish();

  OwnShapes own_;
};

}  // namespace wb
