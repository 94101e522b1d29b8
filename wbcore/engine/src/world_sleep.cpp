// Sleeping bodies: a step looks only at what is awake. ODE wakes a sleeping body if a joint or contact
// connects it, perhaps through others that sleep, with a body that is awake. Only in such steps do the
// contacts between sleeping bodies have joints.
#include <algorithm>

#include "world.h"

namespace wb {
namespace {

uint64_t mixed(uint64_t value, uint64_t word) {
  return ((value ^ word) * 1099511628211ull ^ (value >> 29)) | 1;
}

}  // namespace

const World::Awake &World::awake_ones() {
  if (awake_of_ == awake_changes_) return awake_;
  awake_of_ = awake_changes_;
  awake_ = {};
  awake_.all = true;
  for (uint32_t slot : bodies.live()) {
    Body &b = bodies[slot];
    b.stepped = b.awake();
    awake_.all &= b.stepped || !b.ode;
    if (!b.stepped) continue;
    awake_.bodies.push_back(slot);
    awake_.geoms.insert(awake_.geoms.end(), b.geoms.begin(), b.geoms.end());
  }
  std::sort(awake_.geoms.begin(), awake_.geoms.end());
  return awake_;
}

// Whether a joint or contact connects a sleeping body with one that is awake.
bool World::may_wake_sleepers() {
  if (awake_ones().all) return false;
  const auto one_sleeps = [this](uint32_t a, uint32_t b) {
    return !stands(a) && !stands(b) && bodies[a].awake() != bodies[b].awake();
  };
  for (const Contact &c : contacts)
    if (one_sleeps(c.body_a, c.body_b)) return true;
  return std::any_of(joints.live().begin(), joints.live().end(), [&](uint32_t j) {
    return !joints[j].kinematic && joints[j].enabled && one_sleeps(joints[j].child, joints[j].parent);
  });
}

// ODE's order of joints determines the bits, so all are made again, in the order in which they were found.
void World::join_sleepers() {
  dJointGroupEmpty(contact_group_);
  make_joints_of(kept_contacts, true);
  make_joints_of(contacts, false);
  sleepers_joined_ = true;
}

// What was woken while the constraints were solved stays awake for the whole time again.
void World::restart_countdowns() {
  ++awake_changes_;
  for (uint32_t slot : bodies.live()) {
    Body &b = bodies[slot];
    if (b.awake() && !b.stepped) b.idle_left = b.idle_time;
  }
}

uint64_t World::hash_of_sleepers() {
  uint64_t hash = 1;
  for (Pair &pair : pairs_.listed()) {
    const Geom &a = geoms[pair.a], &b = geoms[pair.b];
    if (asleep(a, b) && may_touch(pair, Verdict::contact))
      hash = mixed(mixed(mixed(hash, pair.newer), pair.older), a.places + b.places);
  }
  return hash;
}

}  // namespace wb
