// Where a body is expected at the end of a step, before its constraints are known.
#pragma once

#include <ode/ode.h>

#include "vec.h"

namespace wb {

// Linear velocity with which a body would end a step of `dt` if only gravity and the forces added so far
// acted.
inline Vec3 expected_velocity(dBodyID body, double dt) {
  const dReal *v = dBodyGetLinearVel(body), *f = dBodyGetForce(body);
  Vec3 expected{v[0], v[1], v[2]};
  if (dBodyIsKinematic(body)) return expected;
  dMass mass;
  dBodyGetMass(body, &mass);
  dVector3 gravity{};
  if (dBodyGetGravityMode(body)) dWorldGetGravity(dBodyGetWorld(body), gravity);
  for (int i = 0; i < 3; ++i) expected[i] += dt * (gravity[i] + f[i] / mass.mass);
  return expected;
}

}  // namespace wb
