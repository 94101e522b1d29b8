// Pose and bounds of a geom.
#include "geom.h"

#include "supports.h"

namespace wb {

Box bounds_of(const Geom &geom) {
  if (geom.shape.kind == ShapeKind::heightfield) return geom.shape.height_bounds(ode_pose(geom));
  if (geom.shape.kind == ShapeKind::cylinder) {  // ODE's bounds lack up to 1.5e-8 of the radius
    const Pose pose = ode_pose(geom);
    const Vec3 half = reach(geom.shape, pose.rotation);
    return {pose.position - half, pose.position + half};
  }
  dReal b[6];
  dGeomGetAABB(geom.ode.id(), b);
  return {{b[0], b[2], b[4]}, {b[1], b[3], b[5]}};
}

Pose ode_pose(const Geom &geom) {
  const dReal *p = dGeomGetPosition(geom.ode.id()), *r = dGeomGetRotation(geom.ode.id());
  return {{p[0], p[1], p[2]}, {r[0], r[1], r[2], r[4], r[5], r[6], r[8], r[9], r[10]}};
}

}  // namespace wb
