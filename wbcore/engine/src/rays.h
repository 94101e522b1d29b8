// Rays of one sensor: their origins, what they ignore, when they are cast and what they hit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "slots.h"
#include "tree.h"
#include "vec.h"

namespace wb {

// The latest hits; shared with the NumPy views.
struct RayResults {
  explicit RayResults(size_t n) : distances(n), normals(3 * n), geoms(n, -1) {}
  // Resets all rays to "no hit".
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

// The nearest hit of a ray so far; initially the ray's length.
struct Nearest {
  double length;
  int32_t geom = -1;
  uint64_t order = 0;
  Vec3 normal = kZero;
};

struct RaySet {
  uint32_t body = kNone;  // follows this body, or fixed in the world
  Pose offset;
  int32_t robot = -1;           // its geoms are ignored unless it collides with itself
  uint32_t mask = 0xffffffffu;  // only geoms with one of these category bits are hit
  bool enabled = true;
  bool front_only = false;  // surfaces are hit only from outside, as cameras show them
  std::vector<Vec3> origins, directions;
  std::vector<double> lengths;
  Box reach;             // of all rays, in the frame of the set
  void measure_reach();  // call after changing the rays
  uint64_t every = 0,
           next = 0;  // cast at the end of step `next`, then every `every` steps; 0: on request only
  std::shared_ptr<RayResults> results;
};

}  // namespace wb
