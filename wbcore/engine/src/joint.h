// One joint of up to three axes, made from one or more ODE joints.
#pragma once

#include <ode/ode.h>

#include "motor.h"
#include "slots.h"
#include "vec.h"

namespace wb {

enum class JointKind : uint8_t { fixed, hinge, hinge2, slider, ball };

constexpr int axis_count(JointKind kind) {
  constexpr int counts[] = {0, 1, 2, 1, 3};
  return counts[static_cast<int>(kind)];
}

// What an axis with a motor does at a stop (joint_stops.cpp).
enum class AtStop : uint8_t {
  held,      // the stop acts, as everywhere else in its range
  released,  // the motor takes the axis away from the stop, which does not act
  too_weak,  // the motor tried so, but its load is larger than its force: the stop acts
};

struct JointAxis {
  Vec3 direction{1, 0, 0};            // unit vector in the parent's frame at position 0
  double min_stop = 0, max_stop = 0;  // equal: no stops
  double spring = 0, damper = 0, brake = 0, friction = 0;
  bool motorized = false;
  bool has_brake = false;        // `brake` may be set while the world runs
  bool has_other_stops = false;  // ODE's joint has other stops than these
  AtStop at_stop = AtStop::held;
  Motor motor;
  double position = 0, velocity = 0;
  double limit = -1;  // current force limit of ODE's joint; -1: unknown
  double offset = 0;  // position minus ODE's own measure (hinge and slider)
};

// A spring and damper along one axis of the parent, on which the anchor can move.
struct Suspension {
  Vec3 axis{1, 0, 0};
  double spring = 0, damper = 0;
  bool active() const { return spring > 0 || damper > 0; }
};

struct JointFeedback {
  dJointFeedback main{}, rods[3]{}, control{};

  // Sum of a force or torque over the ODE joints that connect the bodies.
  Vec3 sum(dVector3 dJointFeedback::*part) const {
    Vec3 found = kZero;
    for (const dJointFeedback *one : {&main, &rods[0], &rods[1], &rods[2], &control})
      for (int i = 0; i < 3; ++i) found[i] += (one->*part)[i];
    return found;
  }
};

// A hinge angle is measured by a direction perpendicular to its axis: two vectors in the parent's frame, and
// one in the child's frame.
struct HingeMeasure {
  Vec3 across{}, third{};  // in the parent's frame; third = axis x across
  Vec3 turning{};          // in the child's frame; equals `across` at position 0
};

struct Joint {
  JointKind kind = JointKind::fixed;
  bool kinematic = false;  // no ODE joint: the child is a frame placed by the position
  uint32_t parent = kNone, child = kNone;
  uint32_t row = kNone;  // first row in the arrays of joint positions

  // ODE's joints are attached as (child, parent or 0), so that signs do not depend on whether there is a
  // parent body.
  dJointID main = nullptr;                         // fixed, hinge, slider or ball
  dJointID rods[3] = {nullptr, nullptr, nullptr};  // replace the ball part if there is a suspension
  dJointID control = nullptr;                      // angular rows that `main` lacks: locks, motors, stops
  dJointID springs = nullptr;

  JointAxis axes[3];
  Suspension suspension;
  Vec3 anchor_in_parent = kZero, anchor_in_child = kZero;
  Pose rest;                            // of the child in the parent at position 0
  HingeMeasure measure;                 // hinge only
  double lock_angle = 0;                // hinge2: angle between the two axes
  double stop_erp = -1, stop_cfm = -1;  // -1: the world's
  int first_control_row = 0;
  uint32_t rows = 0;  // of constraints, at most
  bool enabled = true;
  bool driven = false;  // must be updated before each step

  bool feedback_on = false;
  JointFeedback feedback;

  int axis_count() const { return wb::axis_count(kind); }
};

}  // namespace wb
