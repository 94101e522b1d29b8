// A cylinder on a box, cylinder or capsule. ODE's libccd finds one point where a body needs two or four to
// stand, often centimeters too deep on rims. Its collider of cylinder and box returns different points from
// step to step, so discs rock.
#include <algorithm>

#include "colliders.h"
#include "least_overlap.h"
#include "shape_features.h"

namespace wb {
namespace {

constexpr double kTouches =
    0.9;  // minimum share of the overlap along a normal that a correct contact reaches

bool add_patch(const Geom &a, const Geom &b, const LeastOverlap &least, const Vec3 &n, double depth,
               ContactSink &sink) {
  const Patch patch = meet(feature_facing(a.shape, least.first_pose(), -n),
                           feature_facing(b.shape, least.second_pose(), n), n, depth);
  if (patch.deepest < kTouches * depth || patch.deepest * kTouches > depth) return false;
  for (int i = 0; i < patch.count; ++i) sink.add(patch.points[i], n, patch.depths[i]);
  return true;
}

// A rim or corner on an edge: ODE's collider is accurate here, but misses about one in thirty deep overlaps.
bool add_found_by_ode(const Geom &cylinder, const Geom &box, const LeastOverlap &least, ContactSink &sink) {
  std::vector<dContactGeom> found;
  collide_in_ode(cylinder, box, found);
  if (found.empty()) return false;
  const dContactGeom &most =
      *std::max_element(found.begin(), found.end(),
                        [](const dContactGeom &x, const dContactGeom &y) { return x.depth < y.depth; });
  const Vec3 n{most.normal[0], most.normal[1], most.normal[2]};
  if (add_patch(cylinder, box, least, n, most.depth, sink)) return true;
  for (const dContactGeom &c : found)
    sink.add({c.pos[0], c.pos[1], c.pos[2]}, {c.normal[0], c.normal[1], c.normal[2]}, c.depth);
  return true;
}

}  // namespace

void collide_cylinder(const Geom &cylinder, const Geom &other, ContactSink &sink) {
  LeastOverlap least(cylinder, other);
  if (!least.search()) return;
  if (add_patch(cylinder, other, least, least.normal(), least.overlap(), sink)) return;
  if (!least.search_creases()) return;
  if (other.shape.kind == ShapeKind::box && add_found_by_ode(cylinder, other, least, sink)) return;
  if (!least.refine()) return;
  if (!add_patch(cylinder, other, least, least.normal(), least.overlap(), sink))
    sink.add(least.point(), least.normal(), least.overlap());
}

}  // namespace wb
