// Where a sensor is attached: its pose in a body or in the world.
#pragma once

#include <optional>

#include "../bind.h"

namespace wb {

struct Mount {
  std::optional<BodyHandle> body;  // none: fixed in the world
  Pose inner;                      // in the body, or in the world
  Quat turn;                       // the orientation of `inner`
  bool is_plain = false;           // it has the pose of the body

  bool is_usable() const { return !body || body->valid(); }
  World &world() const { return *body->world; }

  // Origin in the world (m).
  Vec3 position() const {
    if (!body) return inner.position;
    const Pose pose = world().body_pose(body->slot);
    if (is_plain) return pose.position;
    const Vec3 &p = pose.position, &v = inner.position;
    const Mat3 &m = pose.rotation;
    return {p[0] + m[0] * v[0] + m[1] * v[1] + m[2] * v[2], p[1] + m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
            p[2] + m[6] * v[0] + m[7] * v[1] + m[8] * v[2]};
  }

  // Orientation in the world.
  Quat orientation() const {
    if (!body) return turn;
    const double *q = world().columns.quaternions.row(body->slot);
    return Quat{q[0], q[1], q[2], q[3]} * turn;
  }

  // A vector of the world in the sensor's axes.
  Vec3 to_local(const Vec3 &vector) const {
    Vec3 v = vector;
    if (body) {
      v = unrotate(world().body_pose(body->slot).rotation, v);
      if (is_plain) return v;
    }
    return unrotate(inner.rotation, v);
  }

  // A vector of the sensor's axes in those of the world.
  Vec3 to_world(const Vec3 &vector) const {
    const Vec3 v = inner.rotation * vector;
    return body ? world().body_pose(body->slot).rotation * v : v;
  }
};

}  // namespace wb
