// A cylinder on a plane. ODE finds one or two points unless the axis is exactly perpendicular, so cylinders
// rock.
#include "colliders.h"
#include "supports.h"

namespace wb {

void collide_cylinder_plane(const Geom &cylinder, const Geom &plane, ContactSink &sink) {
  const Vec3 n{plane.plane[0], plane.plane[1], plane.plane[2]};
  const Supports s = supports_above(cylinder.shape, ode_pose(cylinder), n);
  for (int i = 0; i < s.count; ++i) {
    const double depth = plane.plane[3] - dot(n, s.points[i]);
    if (depth > 0) sink.add(s.points[i], n, depth);
  }
}

}  // namespace wb
