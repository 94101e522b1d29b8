// One ray against one ODE geom.
#include "ray_probe.h"

#include <cmath>

#include "ode_runtime.h"

namespace wb {
namespace {

constexpr int kMostHits = 16;

// At equal distances the older geom wins, independent of the search order.
void offer(Nearest &nearest, const dContactGeom &hit, uint32_t slot, uint64_t order) {
  if (hit.depth > nearest.length) return;
  if (hit.depth == nearest.length && nearest.geom >= 0 && order >= nearest.order) return;
  nearest.length = hit.depth;
  nearest.geom = static_cast<int32_t>(slot);
  nearest.order = order;
  nearest.normal = {hit.normal[0], hit.normal[1], hit.normal[2]};
}

// Whether a point is in a closed shape or below a plane. Meshes are decided per face instead.
bool starts_inside(const Shape &shape, dGeomID id, const Vec3 &p) {
  switch (shape.kind) {
    case ShapeKind::box: return dGeomBoxPointDepth(id, p[0], p[1], p[2]) > 0;
    case ShapeKind::sphere: return dGeomSpherePointDepth(id, p[0], p[1], p[2]) > 0;
    case ShapeKind::capsule: return dGeomCapsulePointDepth(id, p[0], p[1], p[2]) > 0;
    case ShapeKind::plane: return dGeomPlanePointDepth(id, p[0], p[1], p[2]) > 0;
    case ShapeKind::cylinder: {
      dVector3 local;
      dGeomGetPosRelPoint(id, p[0], p[1], p[2], local);
      const double radius = shape.size[0], half = shape.size[1] / 2;
      return local[0] * local[0] + local[1] * local[1] < radius * radius && std::fabs(local[2]) < half;
    }
    default: return false;
  }
}

}  // namespace

RayProbe::RayProbe() {
  enter_ode();
  ray_ = dCreateRay(nullptr, 1);
  dGeomRaySetClosestHit(ray_, 1);
}

RayProbe::~RayProbe() { dGeomDestroy(ray_); }

void RayProbe::look(const AimedRay &ray, double length, const Shape &shape, dGeomID geom, bool front_only,
                    uint32_t slot, uint64_t order, Nearest &nearest) const {
  if (front_only && starts_inside(shape, geom, ray.origin)) return;
  dGeomRaySet(ray_, ray.origin[0], ray.origin[1], ray.origin[2], ray.direction[0], ray.direction[1],
              ray.direction[2]);
  dGeomRaySetLength(ray_, length);
  dGeomRaySetBackfaceCull(ray_, front_only);
  dContactGeom hits[kMostHits];
  const int count = collide_in_turn(ray_, geom, kMostHits, hits);
  for (int k = 0; k < count; ++k) offer(nearest, hits[k], slot, order);
}

}  // namespace wb
