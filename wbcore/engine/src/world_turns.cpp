// What ODE's steps leave out when they turn bodies on joints.
#include <algorithm>
#include <cmath>

#include "joint_math.h"
#include "turn_kernels.h"
#include "world.h"

namespace wb {
namespace {

// Smaller turns in a step are off by 3e-5 of their size at most (rad).
constexpr double kSmallTurn = 0.02;

// Bodies that turn on, as many at once as there are lanes.
class Turns {
 public:
  void add(const Body &body, const Vec3 &axis, double angle) {
    for (int i = 0; i < 3; ++i) batch_.axis[i][count_] = axis[i];
    batch_.sine[count_] = std::sin(angle * 0.5), batch_.cosine[count_] = std::cos(angle * 0.5);
    batch_.orientation[count_] = const_cast<double *>(body.quaternion);
    batch_.rotation[count_] = const_cast<double *>(body.rotation);
    bodies_[count_++] = &body;
    if (count_ == kMostLanes) turn();
  }

  void finish() {
    if (count_ == 0) return;
    double orientation[4] = {1, 0, 0, 0}, rotation[12];
    for (size_t lane = count_; lane < kMostLanes; ++lane) {
      batch_.axis[0][lane] = 1, batch_.axis[1][lane] = batch_.axis[2][lane] = 0;
      batch_.sine[lane] = 0, batch_.cosine[lane] = 1;
      batch_.orientation[lane] = orientation, batch_.rotation[lane] = rotation;
    }
    turn();
  }

 private:
  void turn() {
    turn_kernels().turn_on(batch_);
    for (size_t i = 0; i < count_; ++i) {
      const double *place = bodies_[i]->position;
      dBodySetPosition(bodies_[i]->ode, place[0], place[1], place[2]);  // notifies the geoms
    }
    count_ = 0;
  }

  TurnBatch batch_;
  const Body *bodies_[kMostLanes];
  size_t count_ = 0;
};

}  // namespace

// In a step, ODE turns a body by 2 atan(w dt / 2) instead of w dt: 14 % too little for a wheel at 1.5 rad per
// step. Adds what is missing about the axis of the joint.
void World::complete_turns() {
  Turns turns;
  for (uint32_t slot : joints.live()) {
    const Joint &j = joints[slot];
    const Body &child = bodies[j.child];
    if (!turns_child(slot) || !child.awake()) continue;
    const Vec3 spin = vec(child.spin);
    const double turn = norm(spin) * settings_.dt;
    if (!(turn > kSmallTurn) || std::isinf(turn)) continue;
    const auto first = std::find_if(child.joints.begin(), child.joints.end(), [&](uint32_t other) {
      return joints[other].child == j.child && turns_child(other);
    });
    if (*first != slot) continue;
    // The last axis is fixed in the child.
    const Vec3 in_child = unrotate(j.rest.rotation, j.axes[j.axis_count() - 1].direction);
    const Vec3 axis = turned(child.rotation, in_child);
    turns.add(child, axis, dot(axis, spin) * settings_.dt * (1 - 2 * std::atan(turn / 2) / turn));
  }
  turns.finish();
}

bool World::turns_child(uint32_t slot) const {
  const Joint &j = joints[slot];
  return !j.kinematic && j.enabled && (j.kind == JointKind::hinge || j.kind == JointKind::hinge2);
}

}  // namespace wb
