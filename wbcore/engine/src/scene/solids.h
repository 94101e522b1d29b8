// Rays against boxes, spheres, capsules, cylinders and frustums.
//
// The operations are those of ODE's colliders in the same order, so that visible shapes and bounding objects
// of equal size are equally far, to the last bit.
#pragma once

#include "../rays.h"
#include "../shape.h"

namespace wb {

// The nearest surface of a shape so far; initially `length` is that of the ray.
struct SolidHit {
  double length;
  Vec3 normal = kZero;  // unit vector in the world, toward the ray's origin
};

// Updates `hit` if the shape is nearer; returns whether it is. `size` as in Shape; `pose`: with the axis
// along z. `parts`: of a frustum, see
// FrustumPart. `front_only`: a shape in which the ray starts is invisible.
bool cast_at_solid(const AimedRay &ray, ShapeKind kind, uint8_t parts, const Vec3 &size, const Pose &pose,
                   bool front_only, SolidHit &hit);

// The direction that ODE gives to a ray.
Vec3 ode_direction(const Vec3 &direction);

}  // namespace wb
