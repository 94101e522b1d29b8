// One ray against one ODE geom.
#pragma once

#include <ode/ode.h>

#include "rays.h"
#include "shape.h"

namespace wb {

class RayProbe {
 public:
  RayProbe();
  ~RayProbe();
  RayProbe(const RayProbe &) = delete;
  RayProbe &operator=(const RayProbe &) = delete;

  // Where the ray meets a geom nearer than `nearest`. `front_only`: not from inside, nor on the back of a
  // triangle. `slot` and `order` identify the geom; at equal distances the lowest order wins.
  void look(const AimedRay &ray, double length, const Shape &shape, dGeomID geom, bool front_only,
            uint32_t slot, uint64_t order, Nearest &nearest) const;

 private:
  dGeomID ray_;
};

}  // namespace wb
