// A box on a plane. ODE starts at the lowest corner and makes four contacts along the two edges that rise
// least (ode/src/box.cpp, dCollideBoxPlane). On a plate tilted by more than its thickness over its width, one
// of these edges is the thickness: all contacts are then on one side, and the plate tips over to the other
// side in each step. Here the contacts are the corners of the face toward the plane.
#include "colliders.h"

namespace wb {
namespace {

// Finds the edge across the face toward the plane, and the edge that rises most along the plane's normal.
void find_edges(const Vec3 &size, const Vec3 &n, int &across, int &steepest) {
  across = steepest = 0;
  for (int i : {1, 2}) {
    if (std::fabs(n[i]) > std::fabs(n[across])) across = i;
    if (std::fabs(n[i]) * size[i] > std::fabs(n[steepest]) * size[steepest]) steepest = i;
  }
}

}  // namespace

void collide_box_plane(const Geom &box, const Geom &plane, ContactSink &sink) {
  const Vec3 n{plane.plane[0], plane.plane[1], plane.plane[2]};
  const Pose pose = ode_pose(box);
  const Vec3 in_box = unrotate(pose.rotation, n), half = box.shape.size * 0.5;
  int across, steepest;
  find_edges(half, in_box, across, steepest);
  if (across == steepest) return sink.take_from_ode(box, plane);
  // The four corners of the face toward the plane, as far as they are below it.
  for (int corner = 0; corner < 4; ++corner) {
    Vec3 p;
    p[across] = std::copysign(half[across], -in_box[across]);
    for (int k : {1, 2}) {
      const int i = (across + k) % 3;
      p[i] = corner & k ? half[i] : -half[i];
    }
    p = pose * p;
    const double depth = plane.plane[3] - dot(n, p);
    if (depth > 0) sink.add(p, n, depth);
  }
}

}  // namespace wb
