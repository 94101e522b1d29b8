// Random mechanisms of ODE bodies and joints, the same for the same seed.
#include "random_scene.h"

#include <cmath>
#include <cstring>

Scene::Scene(uint64_t seed, const SceneKind &kind) : random_(seed), kind_(kind) {
  world = dWorldCreate();
  contacts = dJointGroupCreate(0);
  static const double steps[] = {0.001, 0.004, 0.008, 0.016, 0.032, 0.064};
  h = steps[random_.below(6)];
  dWorldSetGravity(world, 0, 0, -9.81);
  dWorldSetERP(world, random_.uniform(0.1, 0.6));
  dWorldSetCFM(world, random_.chance(0.7) ? 1e-5 : std::pow(10, random_.uniform(-8, -3)));
  const int count = 3 + random_.below(kind_.most_bodies - 2);
  for (int i = 0; i < count; ++i) add_body();
  for (int i = 1; i < count; ++i) {
    if (random_.chance(0.08)) continue;
    const int parent = random_.chance(0.1) ? -1 : random_.chance(0.5) ? i - 1 : random_.below(i);
    add_joint(i, parent);
    if (random_.chance(0.25)) add_motor(i, parent);
  }
  if (random_.chance(kind_.loops))
    for (int i = 1 + random_.below(3); i > 0; --i) {
      const int a = random_.below(count), b = random_.below(count);
      if (a != b) add_joint(a, b);
    }
}

Scene::~Scene() {
  dJointGroupDestroy(contacts);
  dWorldDestroy(world);
  for (dJointFeedback *f : feedbacks_) delete f;
}

void Scene::random_axis(double *axis) {
  double length;
  do {
    for (int i = 0; i < 3; ++i) axis[i] = random_.uniform(-1, 1);
    length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  } while (length < 0.1 || length > 1);
  for (int i = 0; i < 3; ++i) axis[i] /= length;
}

void Scene::add_body() {
  const dBodyID body = dBodyCreate(world);
  const double ratio = std::log10(kind_.mass_ratio);
  dMass mass;
  dMassSetBoxTotal(&mass, std::pow(10, random_.uniform(-ratio / 2, ratio / 2)), random_.uniform(0.05, 0.4),
                   random_.uniform(0.05, 0.4), random_.uniform(0.05, 0.4));
  dBodySetMass(body, &mass);
  dBodySetPosition(body, random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(0, 2));
  dQuaternion q;
  double axis[3];
  random_axis(axis);
  dQFromAxisAndAngle(q, axis[0], axis[1], axis[2], random_.uniform(0, 3));
  dBodySetQuaternion(body, q);
  dBodySetLinearVel(body, random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(-1, 1));
  dBodySetAngularVel(body, random_.uniform(-3, 3), random_.uniform(-3, 3), random_.uniform(-3, 3));
  dBodySetGyroscopicMode(body, random_.chance(0.8));
  if (random_.chance(0.05)) dBodySetGravityMode(body, 0);
  if (kind_.kinematic && random_.chance(0.04)) dBodySetKinematic(body);
  bodies.push_back(body);
}

// Motors, stops, springs and softness of each axis.
void Scene::configure(dJointID joint, void (*set)(dJointID, int, dReal), int axes) {
  for (int i = 0; i < axes; ++i) {
    const int group = i * dParamGroup;
    if (random_.chance(0.6)) {
      set(joint, group + dParamFMax, std::pow(10, random_.uniform(-2, 2)));
      set(joint, group + dParamVel, random_.uniform(-2, 2));
    }
    if (random_.chance(0.4)) {
      const double low = random_.uniform(-0.3, 0.05);
      set(joint, group + dParamLoStop, low);
      set(joint, group + dParamHiStop, low + (random_.chance(0.1) ? 0 : random_.uniform(0.01, 0.4)));
      if (random_.chance(0.3)) set(joint, group + dParamBounce, random_.uniform(0, 1));
      if (random_.chance(0.4)) {
        const double k = std::pow(10, random_.uniform(0, 4)), c = std::pow(10, random_.uniform(-2, 2));
        set(joint, group + dParamStopERP, h * k / (h * k + c));
        set(joint, group + dParamStopCFM, 1 / (h * k + c));
      }
      if (random_.chance(0.2)) set(joint, group + dParamFudgeFactor, random_.uniform(0, 1));
    }
    if (random_.chance(0.3)) set(joint, group + dParamCFM, std::pow(10, random_.uniform(-8, -3)));
  }
}

void Scene::add_joint(int child, int parent) {
  const dBodyID a = bodies[(size_t)child], b = parent < 0 ? nullptr : bodies[(size_t)parent];
  const dReal *p = dBodyGetPosition(a);
  const double x = p[0] + random_.uniform(-0.3, 0.3), y = p[1] + random_.uniform(-0.3, 0.3),
               z = p[2] + random_.uniform(-0.3, 0.3);
  double u[3], v[3], w[3];
  random_axis(u);
  random_axis(w);
  const double dot = u[0] * w[0] + u[1] * w[1] + u[2] * w[2];
  for (int i = 0; i < 3; ++i) v[i] = w[i] - dot * u[i];
  const bool first = random_.chance(0.7);
  dJointID j = nullptr;
  const auto attach = [&] { first || !b ? dJointAttach(j, a, b) : dJointAttach(j, b, a); };
  switch (random_.below(14)) {
    case 0: j = dJointCreateBall(world, nullptr), attach(), dJointSetBallAnchor(j, x, y, z); break;
    case 1:
      j = dJointCreateSlider(world, nullptr), attach(), dJointSetSliderAxis(j, u[0], u[1], u[2]);
      configure(j, dJointSetSliderParam, 1);
      break;
    case 2:
      j = dJointCreateUniversal(world, nullptr), attach(), dJointSetUniversalAnchor(j, x, y, z);
      dJointSetUniversalAxis1(j, u[0], u[1], u[2]), dJointSetUniversalAxis2(j, v[0], v[1], v[2]);
      configure(j, dJointSetUniversalParam, 2);
      break;
    case 3:
      if (!b) return add_joint(child, child ? child - 1 : 1);
      j = dJointCreateHinge2(world, nullptr), attach(), dJointSetHinge2Anchor(j, x, y, z);
      dJointSetHinge2Axes(j, u, v);
      configure(j, dJointSetHinge2Param, 2);
      break;
    case 4: j = dJointCreateFixed(world, nullptr), attach(), dJointSetFixed(j); break;
    case 5:
      j = dJointCreatePR(world, nullptr), attach(), dJointSetPRAnchor(j, x, y, z);
      dJointSetPRAxis1(j, u[0], u[1], u[2]), dJointSetPRAxis2(j, v[0], v[1], v[2]);
      configure(j, dJointSetPRParam, 2);
      break;
    case 6:
      j = dJointCreatePiston(world, nullptr), attach(), dJointSetPistonAnchor(j, x, y, z);
      dJointSetPistonAxis(j, u[0], u[1], u[2]);
      configure(j, dJointSetPistonParam, 2);
      break;
    case 7:
      j = dJointCreatePU(world, nullptr), attach(), dJointSetPUAnchor(j, x, y, z);
      dJointSetPUAxis1(j, u[0], u[1], u[2]), dJointSetPUAxis2(j, v[0], v[1], v[2]);
      dJointSetPUAxis3(j, w[0], w[1], w[2]);
      configure(j, dJointSetPUParam, 3);
      break;
    case 8:
      j = dJointCreateDBall(world, nullptr), attach();
      dJointSetDBallAnchor1(j, x, y, z), dJointSetDBallAnchor2(j, x + 0.2, y, z);
      break;
    default:
      j = dJointCreateHinge(world, nullptr), attach(), dJointSetHingeAnchor(j, x, y, z);
      dJointSetHingeAxis(j, u[0], u[1], u[2]);
      configure(j, dJointSetHingeParam, 1);
  }
  if (random_.chance(0.3)) dJointSetFeedback(j, feedbacks_.emplace_back(new dJointFeedback()));
}

void Scene::add_motor(int child, int parent) {
  const dBodyID a = bodies[(size_t)child], b = parent < 0 ? nullptr : bodies[(size_t)parent];
  const int axes = 1 + random_.below(3);
  const bool angular = random_.chance(0.6);
  const dJointID j = angular ? dJointCreateAMotor(world, nullptr) : dJointCreateLMotor(world, nullptr);
  dJointAttach(j, a, b);
  angular ? dJointSetAMotorNumAxes(j, axes) : dJointSetLMotorNumAxes(j, axes);
  for (int i = 0; i < axes; ++i) {
    double u[3];
    random_axis(u);
    angular ? dJointSetAMotorAxis(j, i, 1, u[0], u[1], u[2]) : dJointSetLMotorAxis(j, i, 1, u[0], u[1], u[2]);
  }
  configure(j, angular ? dJointSetAMotorParam : dJointSetLMotorParam, axes);
}

dSurfaceParameters Scene::surface() {
  dSurfaceParameters s;
  std::memset(&s, 0, sizeof s);
  s.mode = random_.chance(0.8) ? dContactApprox1 : 0;
  s.mu = random_.chance(0.1) ? dInfinity : random_.chance(0.1) ? 0 : random_.uniform(0.05, 2);
  if (random_.chance(0.7)) s.mode |= dContactSoftERP | dContactSoftCFM;
  s.soft_erp = random_.uniform(0.1, 0.8), s.soft_cfm = std::pow(10, random_.uniform(-6, -2));
  if (random_.chance(0.2)) s.mode |= dContactBounce, s.bounce = random_.uniform(0, 1), s.bounce_vel = 0.01;
  if (random_.chance(0.2)) s.mode |= dContactMu2, s.mu2 = random_.uniform(0.05, 2);
  if (random_.chance(0.2))
    s.mode |= dContactSlip1 | dContactSlip2, s.slip1 = s.slip2 = random_.uniform(0, 0.1);
  if (random_.chance(0.15)) {
    s.mode |= dContactRolling;
    s.rho = s.rho2 = s.rhoN = random_.uniform(0.001, 0.1);
    if (random_.chance(0.5)) s.mode |= dContactAxisDep;
  }
  if (random_.chance(0.1)) s.mode |= dContactMotion1, s.motion1 = random_.uniform(-1, 1);
  return s;
}

void Scene::add_contact(int body, int other) {
  dContact c;
  std::memset(&c, 0, sizeof c);
  c.surface = surface();
  const dReal *p = dBodyGetPosition(bodies[(size_t)body]);
  for (int i = 0; i < 3; ++i) c.geom.pos[i] = p[i] + random_.uniform(-0.2, 0.2);
  double n[3];
  random_axis(n);
  c.geom.normal[0] = n[0] * 0.3, c.geom.normal[1] = n[1] * 0.3, c.geom.normal[2] = 1;
  dNormalize3(c.geom.normal);
  c.geom.depth = random_.uniform(0, 0.01);
  const dJointID j = dJointCreateContact(world, contacts, &c);
  dJointAttach(j, bodies[(size_t)body], other < 0 ? nullptr : bodies[(size_t)other]);
}

void Scene::prepare() {
  dJointGroupEmpty(contacts);
  const int count = (int)bodies.size();
  if (random_.chance(kind_.contacts))
    for (int i = 1 + random_.below(4); i > 0; --i) {
      const int body = random_.below(count), other = random_.chance(0.3) ? random_.below(count) : -1;
      for (int k = 1 + random_.below(4); k > 0; --k)
        if (other != body) add_contact(body, other);
    }
  for (const dBodyID b : bodies)
    if (random_.chance(0.2))
      dBodyAddForce(b, random_.uniform(-5, 5), random_.uniform(-5, 5), random_.uniform(-5, 5));
}
