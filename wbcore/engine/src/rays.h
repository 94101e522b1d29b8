// Rays of one sensor: where they start, what they pass through, when they are cast and what they hit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "slots.h"
#include "tree.h"
#include "vec.h"

namespace wb {

// What the rays hit last; shared with the NumPy views.
struct RayResults {
  explicit RayResults(size_t n) : distances(n), normals(3 * n), geoms(n, -1) {}
  // No ray hits anything.
  void clear(const std::vector<double> &lengths) {
    std::copy(lengths.begin(), lengths.end(), distances.begin());
    std::fill(normals.begin(), normals.end(), 0);
    std::fill(geoms.begin(), geoms.end(), -1);
  }
  std::vector<double> distances, normals;
  std::vector<int32_t> geoms;
  uint64_t cast_at = UINT64_MAX;  // number of steps at the last cast
};

// One ray in the world.
struct AimedRay {
  Vec3 origin, direction;
};

// The nearest hit of a ray so far; before the first one the ray's length.
struct Nearest {
  double length;
  int32_t geom = -1;
  uint64_t order = 0;
  Vec3 normal = kZero;
};

struct RaySet {
  uint32_t body = kNone;  // moves with this body, or stands in the world
  Pose offset;
  int32_t robot = -1;           // its geoms are passed through unless it collides with itself
  uint32_t mask = 0xffffffffu;  // only geoms with one of these category bits are hit
  bool enabled = true;
  bool front_only = false;  // surfaces are hit from outside only, as pictures show them
  std::vector<Vec3> origins, directions;
  std::vector<double> lengths;
  Box reach;             // of all rays, in the frame of the set
  void measure_reach();  // to be called after a change of the rays
  uint64_t every = 0,
           next = 0;  // cast at the end of step `next`, then every `every` steps; 0: on request only
  std::shared_ptr<RayResults> results;
};

}  // namespace wb
