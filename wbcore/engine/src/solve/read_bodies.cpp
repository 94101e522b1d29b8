// Masses, inertia and forces of bodies, and their motion during the step, as in ODE's own solvers.
#include <algorithm>

#include "joints/joint.h"
#include "read_island.h"
#include "util.h"

namespace wb::solve {
namespace {

enum { XX, XY, XZ, YY, YZ, ZZ };

void turn_inertia(const double *rotation, const double *inertia, double *out) {
  double t[9];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      t[i * 3 + j] = rotation[i * 4] * inertia[j] + rotation[i * 4 + 1] * inertia[4 + j] +
                     rotation[i * 4 + 2] * inertia[8 + j];
  for (int i = 0, n = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      out[n++] = t[i * 3] * rotation[j * 4] + t[i * 3 + 1] * rotation[j * 4 + 1] +
                 t[i * 3 + 2] * rotation[j * 4 + 2];
}

void times_inertia(const double *i, const double *v, double *out) {
  out[0] = i[XX] * v[0] + i[XY] * v[1] + i[XZ] * v[2];
  out[1] = i[XY] * v[0] + i[YY] * v[1] + i[YZ] * v[2];
  out[2] = i[XZ] * v[0] + i[YZ] * v[1] + i[ZZ] * v[2];
}

// ODE's implicit gyroscopic torque (I (I - h [L]x)^-1 - 1) L / h with L = I w.
void add_gyroscopic(const double *i, const double *spin, double h, double *torque) {
  double l[3], turned[3];
  times_inertia(i, spin, l);
  const double a = i[XX], b = i[XY] + h * l[2], c = i[XZ] - h * l[1], d = i[XY] - h * l[2], e = i[YY],
               f = i[YZ] + h * l[0], g = i[XZ] + h * l[1], k = i[YZ] - h * l[0], m = i[ZZ];
  const double A = e * m - f * k, B = f * g - d * m, C = d * k - e * g, determinant = a * A + b * B + c * C;
  if (determinant == 0) return;
  double x[3] = {A * l[0] + (c * k - b * m) * l[1] + (b * f - c * e) * l[2],
                 B * l[0] + (a * m - c * g) * l[1] + (c * d - a * f) * l[2],
                 C * l[0] + (b * g - a * k) * l[1] + (a * e - b * d) * l[2]};
  for (double &v : x) v *= 1 / determinant;
  times_inertia(i, x, turned);
  for (int n = 0; n < 3; ++n) torque[n] += (turned[n] - l[n]) * (1 / h);
}

// ODE inverts the inertia when a mass is set, and takes the unit matrix where it cannot.
bool positive(const double *i) {
  const double minor = i[XX] * i[YY] - i[XY] * i[XY];
  const double determinant = i[XX] * (i[YY] * i[ZZ] - i[YZ] * i[YZ]) -
                             i[XY] * (i[XY] * i[ZZ] - i[YZ] * i[XZ]) +
                             i[XZ] * (i[XY] * i[YZ] - i[YY] * i[XZ]);
  return i[XX] > 0 && minor > 0 && determinant > 0;
}

}  // namespace

void ForcesBefore::remember(const IslandParts &parts) {
  forces_.clear();
  for (uint32_t i = 0; i < parts.body_count; ++i) {
    const dxBody *b = parts.bodies[i];
    forces_.insert(forces_.end(), {b->facc[0], b->facc[1], b->facc[2], b->tacc[0], b->tacc[1], b->tacc[2]});
  }
}

void ForcesBefore::restore(const IslandParts &parts) const {
  for (uint32_t i = 0; i < parts.body_count; ++i)
    for (int k = 0; k < 3; ++k) {
      parts.bodies[i]->facc[k] = forces_[i * 6 + static_cast<size_t>(k)];
      parts.bodies[i]->tacc[k] = forces_[i * 6 + 3 + static_cast<size_t>(k)];
    }
}

void put_velocity(const dxBody *body, double *velocity) {
  std::copy_n(body->lvel, 3, velocity);
  std::copy_n(body->avel, 3, velocity + 3);
}

void read_velocities(Equations &eq) {
  for (Node &n : eq.nodes) put_velocity(n.body, n.velocity);
}

bool read_bodies(const IslandParts &parts, double h, Equations &eq) {
  bool ok = true;
  for (Node &n : eq.nodes) {
    const dxBody *b = n.body;
    n.mass = b->mass.mass;
    turn_inertia(b->posr.R, b->mass.I, n.inertia);
    ok &= n.mass > 0 && positive(n.inertia);
    const bool falls = !(b->flags & dxBodyNoGravity);
    for (int k = 0; k < 3; ++k) {
      n.outer[k] = b->facc[k] + (falls ? n.mass * parts.world->gravity[k] : 0);
      n.outer[3 + k] = b->tacc[k];
    }
    if (b->flags & dxBodyGyroscopic) add_gyroscopic(n.inertia, b->avel, h, n.outer + 3);
    std::copy_n(n.outer, 6, n.force);
    n.stale = true;
  }
  return ok;
}

void write_feedback(const Equations &eq) {
  for (const JointRows &j : eq.joints) {
    dJointFeedback *feedback = j.joint->feedback;
    if (!feedback) continue;
    double child[6] = {}, parent[6] = {};
    for (int32_t r = j.first_row; r < j.first_row + j.count; ++r) {
      add_scaled(child, eq.rows[r].child, eq.rows[r].x);
      add_scaled(parent, eq.rows[r].parent, eq.rows[r].x);
    }
    const bool swapped = eq.rows[j.first_row].node != j.body0;
    const double *first = swapped ? parent : child, *second = swapped ? child : parent;
    for (int i = 0; i < 3; ++i) feedback->f1[i] = first[i], feedback->t1[i] = first[3 + i];
    if (!j.joint->node[1].body) continue;
    for (int i = 0; i < 3; ++i) feedback->f2[i] = second[i], feedback->t2[i] = second[3 + i];
  }
}

void write_bodies(const IslandParts &parts, double h, const Equations &eq) {
  for (const Node &n : eq.nodes)
    for (int k = 0; k < 3; ++k) {
      n.body->lvel[k] += h * n.a[k];
      n.body->avel[k] += h * n.a[3 + k];
    }
  for (uint32_t i = 0; i < parts.body_count; ++i) {
    dxBody *b = parts.bodies[i];
    dxStepBody(b, h);
    for (int k = 0; k < 3; ++k) b->facc[k] = b->tacc[k] = 0;
  }
}

}  // namespace wb::solve
