// One body: a dynamic or kinematic ODE body, or a frame (a pose without mass that carries geoms and rays).
#pragma once

#include <ode/ode.h>

#include <cstdint>
#include <vector>

#include "mass.h"
#include "slots.h"

namespace wb {

// Three numbers of ODE's.
inline Vec3 vec(const dReal *v) { return {v[0], v[1], v[2]}; }

enum class BodyKind : uint8_t { dynamic, kinematic, frame };

struct Body {
  BodyKind kind = BodyKind::frame;
  dBodyID ode = nullptr;   // none for frames
  Mass mass;               // in the body's own frame; ODE's origin is mass.center
  bool centered = true;    // the center of mass is the origin
  bool stepped = false;    // was awake in the last step
  bool displaced = false;  // set to a pose whose contacts are not known yet
  bool reversed = false;   // placed with the negative of the quaternion that comes from its matrix in ODE
  // Pointers to ODE's own values, for reading.
  const dReal *position = nullptr, *rotation = nullptr, *quaternion = nullptr, *velocity = nullptr,
              *spin = nullptr, *force = nullptr, *torque = nullptr;
  uint32_t order = 0;  // increases with creation; contacts are found in this order
  std::vector<uint32_t> geoms, joints;

  // Frames only.
  Pose pose;
  Vec3 linear_velocity = kZero, angular_velocity = kZero;
  uint32_t parent = kNone;  // a frame that follows another body, at this pose in it
  Pose in_parent;

  // Sleeping. The countdown is our own: ODE hides its own, which would be lost when a state is restored.
  bool auto_disable = false;
  double idle_time = 0, linear_threshold = 0, angular_threshold = 0, idle_left = 0;

  double linear_damping = 0, angular_damping = 0;  // share of the velocity lost per second
  double max_angular_speed = 0;                    // 0: no limit

  void watch() {
    position = dBodyGetPosition(ode);
    rotation = dBodyGetRotation(ode);
    quaternion = dBodyGetQuaternion(ode);
    velocity = dBodyGetLinearVel(ode);
    spin = dBodyGetAngularVel(ode);
    force = dBodyGetForce(ode);
    torque = dBodyGetTorque(ode);
  }
  bool awake() const { return ode && dBodyIsEnabled(ode); }
};

}  // namespace wb
