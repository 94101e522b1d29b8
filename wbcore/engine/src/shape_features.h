// The feature of a box, cylinder or capsule that faces a direction, and the contact patch of two features.
#pragma once

#include "shape.h"
#include "vec.h"

namespace wb {

// A cap of a cylinder, a face of a box, or the line of a lying cylinder or capsule.
struct Feature {
  enum class Kind { disc, face, line };
  Kind kind;
  Vec3 points[4];  // disc: around the rim; face: its corners in turn; line: its ends
  int count;
  Vec3 center, normal;  // of a disc or face
  double radius;        // of a disc, or of what the line belongs to (m)
  Vec3 tip;             // of a disc: the outermost point
};

// The feature of a box, cylinder or capsule, at the pose of its ODE geom, that is outermost along the unit
// vector `d`.
Feature feature_facing(const Shape &shape, const Pose &pose, const Vec3 &d);

// The contact patch of two features: points of the upper one, and their depths below the lower one.
struct Patch {
  static constexpr int kMost = 16;
  Vec3 points[kMost];
  double depths[kMost];
  int count = 0;
  double deepest = 0;
};

// The normal points from the lower feature to the upper one. `overlap` is the depth of their shapes along it:
// if the regular points of a rim do not reach it, the rim's outermost point is added.
Patch meet(const Feature &upper, const Feature &lower, const Vec3 &normal, double overlap);

}  // namespace wb
