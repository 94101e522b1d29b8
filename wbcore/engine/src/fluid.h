// Fluids: how much of a shape is below a fluid's surface, and the resulting forces.
#pragma once

#include <cstdint>

#include "facets.h"
#include "shape.h"
#include "slots.h"
#include "vec.h"

namespace wb {

struct Fluid {
  double density = 1000, viscosity = 0.001;
  Vec3 stream_velocity = kZero;
  uint32_t geom = kNone;  // its highest face along the up axis is the surface
};

enum class ReferenceArea : uint8_t { immersed, projected };

// ImmersionProperties of a body, or of its geoms with one solid's number, for one fluid.
struct Immersion {
  uint32_t body = kNone, fluid = kNone;
  int32_t solid = -1;  // -1: all geoms of the body
  ReferenceArea reference = ReferenceArea::immersed;
  Vec3 drag_force = kZero, drag_torque = kZero;
  double viscous_force = 0, viscous_torque = 0;
};

// The part of a shape below the surface, in world coordinates; `projected` along the body's axes.
struct Immersed {
  double volume = 0, area = 0, full_area = 0;
  Vec3 center = kZero;
  Vec3 projected = kZero;
};

// The half space { p : dot(normal, p) <= level } is fluid.
struct FluidSurface {
  Vec3 normal;
  double level;
};

FluidSurface surface_of(const Shape &shape, const Pose &pose);
// `facets` are those of the shape, `body_axes` has the axes of the projected areas as columns.
Immersed immerse(const Shape &shape, const std::vector<Facet> &facets, const Pose &pose,
                 const FluidSurface &surface, const Mat3 &body_axes);

}  // namespace wb
