// Masses, inertia and forces of bodies, and the feedback of joints, as in ODE's own solvers.
#include <algorithm>

#include "body_kernels.h"
#include "joints/joint.h"
#include "read_island.h"

namespace wb::solve {
namespace {

void put_in_lane(Node &n, InertiaBatch &batch, size_t lane) {
  const dxBody *b = n.body;
  batch.rotation[lane] = b->posr.R, batch.own[lane] = b->mass.I, batch.spin[lane] = b->avel;
  batch.inertia[lane] = n.inertia, batch.torque[lane] = n.outer + 3;
}

// ODE inverts the inertia when a mass is set, and takes the unit matrix where it cannot. False: it could not.
bool take_from_lane(const IslandParts &parts, const InertiaBatch &batch, size_t lane, Node &n) {
  const dxBody *b = n.body;
  n.mass = b->mass.mass;
  const bool falls = !(b->flags & dxBodyNoGravity);
  const bool turns = b->flags & dxBodyGyroscopic && batch.gyroscopic[lane] != 0;
  for (int k = 0; k < 3; ++k) {
    n.outer[k] = b->facc[k] + (falls ? n.mass * parts.world->gravity[k] : 0);
    n.outer[3 + k] = turns ? b->tacc[k] + n.outer[3 + k] : b->tacc[k];
  }
  copy_six(n.outer, n.force);
  n.stale = true;
  return n.mass > 0 && n.inertia[0] > 0 && batch.minor[lane] > 0 && batch.determinant[lane] > 0;
}

}  // namespace

void ForcesBefore::remember(const IslandParts &parts) {
  forces_.resize(size_t{parts.body_count} * 6);
  double *to = forces_.data();
  for (uint32_t i = 0; i < parts.body_count; ++i, to += 6) {
    copy_three(parts.bodies[i]->facc, to);
    copy_three(parts.bodies[i]->tacc, to + 3);
  }
}

void ForcesBefore::restore(const IslandParts &parts) const {
  for (uint32_t i = 0; i < parts.body_count; ++i)
    for (int k = 0; k < 3; ++k) {
      parts.bodies[i]->facc[k] = forces_[i * 6 + static_cast<size_t>(k)];
      parts.bodies[i]->tacc[k] = forces_[i * 6 + 3 + static_cast<size_t>(k)];
    }
}

bool read_bodies(const IslandParts &parts, double h, Equations &eq) {
  bool ok = true;
  InertiaBatch batch;
  for (size_t at = 0; at < eq.nodes.size(); at += kMostLanes) {
    const size_t count = std::min(kMostLanes, eq.nodes.size() - at);
    // Lanes without a body have the last one, whose numbers come out twice.
    for (size_t lane = 0; lane < kMostLanes; ++lane)
      put_in_lane(eq.nodes[at + std::min(lane, count - 1)], batch, lane);
    body_kernels().turn(batch, h);
    for (size_t lane = 0; lane < count; ++lane) ok &= take_from_lane(parts, batch, lane, eq.nodes[at + lane]);
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

}  // namespace wb::solve
