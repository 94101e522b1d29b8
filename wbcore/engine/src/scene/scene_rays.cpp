// Rays of one sensor in the visible world.
#include "scene_rays.h"

#include <algorithm>

namespace wb {

namespace {
constexpr double kBehind = 1e-9;    // m: where a ray goes on behind a clear surface
constexpr int kMostSurfaces = 256;  // that a ray goes through
constexpr uint32_t kRest = 16;      // casts after which shapes that have not changed are searched
constexpr double kFarthest = 1e6;   // m: up to here, rounding moves rays by less than kRounding
constexpr Near kRounding{1e-6, 1e-9};
}  // namespace

void OwnShapes::follow(const Scene &scene, uint32_t carrier, const SceneRays &rays) {
  const uint64_t planting = carrier == kNone ? 0 : scene.planting(carrier);
  if (planting != planting_) {
    planting_ = planting;
    casts_ = 0;
    ends_.clear();
  }
  if (planting && casts_ < kRest && ++casts_ == kRest && rays.length < kFarthest)
    search(scene, carrier, rays);
}

void OwnShapes::search(const Scene &scene, uint32_t carrier, const SceneRays &rays) {
  instances_.clear();
  for (const Vec3 &one : rays.directions) {
    scene.list_own(carrier, {rays.offset.position, rays.offset.rotation * one}, rays.length, rays.front_only,
                   kRounding, instances_);
    ends_.push_back(static_cast<uint32_t>(instances_.size()));
  }
}

RayHome OwnShapes::home(uint32_t carrier, size_t ray, const Vec3 &origin) const {
  const double farthest = std::max({std::fabs(origin[0]), std::fabs(origin[1]), std::fabs(origin[2])});
  if (ends_.empty() || !(farthest < kFarthest)) return {carrier};
  const size_t first = ray ? ends_[ray - 1] : 0;
  return {carrier, true, std::span(instances_).subspan(first, ends_[ray] - first)};
}

SceneHit SceneRays::cast(const AimedRay &ray, const RayHome &home) const {
  SceneHit hit = scene->cast(ray, length, front_only, home);
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
  own_.follow(*scene, from, *this);
  hits.clear();
  aimed.clear();
  for (size_t i = 0; i < count; ++i) {
    aimed.push_back({pose.position, ode_direction(pose.rotation * directions[i])});
    hits.push_back(cast(aimed[i], own_.home(from, i, pose.position)));
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
