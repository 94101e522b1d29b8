// Measurements with rays. Source: manual, chapter DistanceSensor.
#include "ray_sources.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace wb {
namespace {

// A sonar detects surfaces whose normal is within this angle of the ray: 22.5 degrees.
const double kEcho = std::cos(std::numbers::pi / 8);

double in_own_unit(const Distances &own, double distance, Random &random) {
  return own.response(own.scale == 1 ? distance : distance / own.scale, random);
}

// The share of light that a surface reflects: a rough or occluded one less.
double reflection(const Look &look) {
  const double share = 0.2 + 0.8 * look.color[0] * (1 - 0.5 * look.roughness) * (1 - 0.5 * look.occlusion);
  return std::clamp(share, 0.2, 1.0);
}

}  // namespace

void PhysicalDistance::measure(double, double *values) {
  World &world = *rays_.world;
  RaySet &rays = rays_.get();
  if (rays.results->cast_at != world.steps) {
    world.cast(rays_.slot);
    rays.next = world.steps + rays.every;
  }
  values[0] = in_own_unit(own_, distance(rays), world.random);
}

double MeanDistance::distance(const RaySet &rays) const {
  const std::vector<double> &distances = rays.results->distances;
  if (own_.weights.size() == 1) return distances[0];
  double mean = 0;
  for (size_t i = 0; i < own_.weights.size(); ++i) mean += own_.weights[i] * distances[i];
  return mean;
}

double Echo::distance(const RaySet &rays) const {
  const RayResults &results = *rays.results;
  const Mat3 axes = rays.body == kNone ? rays.offset.rotation
                                       : rays_.world->body_pose(rays.body).rotation * rays.offset.rotation;
  double nearest = own_.range;
  for (size_t i = 0; i < rays.directions.size(); ++i) {
    const Vec3 normal{results.normals[3 * i], results.normals[3 * i + 1], results.normals[3 * i + 2]};
    if (results.distances[i] < nearest && std::fabs(dot(unrotate(axes, normal), rays.directions[i])) > kEcho)
      nearest = results.distances[i];
  }
  return nearest;
}

double Reflection::factor(size_t ray) const {
  return rays_->hits[ray].instance < 0 ? 1.0 : reflection(rays_->look(ray));
}

void Reflection::measure(double, double *values) {
  rays_->cast();
  double distance = rays_->hits[0].length, share = factor(0);
  if (own_.weights.size() > 1) {
    distance = share = 0;
    for (size_t i = 0; i < own_.weights.size(); ++i) {
      distance += own_.weights[i] * rays_->hits[i].length;
      share += own_.weights[i] * factor(i);
    }
  }
  const double seen = distance + (distance / share - distance) * sensitivity_;
  values[0] = in_own_unit(own_, seen, rays_->scene->world()->random);
}

}  // namespace wb
