// A box on a box. Of two edges that are parallel but for rounding, ODE takes the rounding for a direction,
// along which it may find the boxes apart or touching at one point (ode/src/box.cpp, dBoxBox): a box that
// lies flat on another one would fall through it. Where ODE has no or one contact, boxes with such edges are
// searched again with these exactly parallel.
#include <array>

#include "colliders.h"

namespace wb {
namespace {

constexpr double kRounding = 1e-10;  // of a cosine

// Sets what is left of right angles in a rotation to 0. Returns whether there was any.
bool make_parallel(Mat3 &rotation) {
  bool any = false;
  for (double &cosine : rotation)
    if (cosine != 0 && std::fabs(cosine) < kRounding) cosine = 0, any = true;
  return any;
}

struct OdePose {
  dVector3 position;
  dMatrix3 rotation;

  OdePose(const Vec3 &p, const Mat3 &m) : position{p[0], p[1], p[2]}, rotation{} {
    for (int i = 0; i < 9; ++i) rotation[i / 3 * 4 + i % 3] = m[i];
  }
};

}  // namespace

void collide_box_box(const Geom &a, const Geom &b, ContactSink &sink) {
  sink.take_from_ode(a, b);
  if (sink.size() > 1) return;
  const Pose pose = ode_pose(a), other = ode_pose(b);
  Mat3 turn = transposed(pose.rotation) * other.rotation;
  if (!make_parallel(turn)) return;
  constexpr int kMost = 8;
  std::array<dContactGeom, kMost> contacts;
  const OdePose first({}, {1, 0, 0, 0, 1, 0, 0, 0, 1}), second(local_point(pose, other.position), turn);
  const Vec3 &size = a.shape.size, &other_size = b.shape.size;
  dVector3 normal, sides{size[0], size[1], size[2]}, other_sides{other_size[0], other_size[1], other_size[2]};
  double depth;
  int code;
  const int count = dBoxBox(first.position, first.rotation, sides, second.position, second.rotation,
                            other_sides, normal, &depth, &code, kMost, contacts.data(), sizeof(dContactGeom));
  if (count > 0) sink.clear();
  const Vec3 into = pose.rotation * Vec3{-normal[0], -normal[1], -normal[2]};
  for (int i = 0; i < count; ++i) {
    const dContactGeom &c = contacts[static_cast<size_t>(i)];
    sink.add(pose * Vec3{c.pos[0], c.pos[1], c.pos[2]}, into, c.depth);
  }
}

}  // namespace wb
