// Save, restore and hash everything that changes while a world steps, bit by bit.
#include <algorithm>
#include <cstring>

#include "byte_stream.h"
#include "world.h"

namespace wb {
namespace {

constexpr uint64_t kMagic = 0x3530455441545357ull;         // "WSTATE05"
constexpr uint64_t kPreciseMagic = 0x3550455441545357ull;  // "WSTATEP5"

struct Hash {
  uint64_t value = 1469598103934665603ull;
  void add(uint64_t word) { value = (value ^ word) * 1099511628211ull ^ (value >> 29); }
  void add(const double *values, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      uint64_t word;
      std::memcpy(&word, values + i, sizeof word);
      add(word);
    }
  }
};

uint64_t hash_bytes(const char *data, size_t size) {
  Hash hash;
  for (size_t i = 0; i < size; i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, data + i, std::min<size_t>(8, size - i));
    hash.add(word);
  }
  return hash.value;
}

// ODE normalizes a quaternion when it is set and recomputes the rotation, which may change the last bits.
// Therefore both are written directly into ODE's memory.
struct RawBody {
  dReal position[3], quaternion[4], rotation[12], linear[3], angular[3], force[3], torque[3];

  void take(dBodyID b) {
    std::memcpy(position, dBodyGetPosition(b), sizeof position);
    std::memcpy(quaternion, dBodyGetQuaternion(b), sizeof quaternion);
    std::memcpy(rotation, dBodyGetRotation(b), sizeof rotation);
    std::memcpy(linear, dBodyGetLinearVel(b), sizeof linear);
    std::memcpy(angular, dBodyGetAngularVel(b), sizeof angular);
    std::memcpy(force, dBodyGetForce(b), sizeof force);
    std::memcpy(torque, dBodyGetTorque(b), sizeof torque);
  }
  void give(dBodyID b) const {
    std::memcpy(const_cast<dReal *>(dBodyGetQuaternion(b)), quaternion, sizeof quaternion);
    std::memcpy(const_cast<dReal *>(dBodyGetRotation(b)), rotation, sizeof rotation);
    dBodySetPosition(b, position[0], position[1], position[2]);  // also notifies the geoms
    dBodySetLinearVel(b, linear[0], linear[1], linear[2]);
    dBodySetAngularVel(b, angular[0], angular[1], angular[2]);
    dBodySetForce(b, force[0], force[1], force[2]);
    dBodySetTorque(b, torque[0], torque[1], torque[2]);
  }
};

// One function per kind serves both directions: `Io` is the writer or the reader.
template <class Io>
void transfer_body(Io &io, Body &b) {
  io(b.linear_velocity), io(b.angular_velocity), io(b.idle_left), io(b.displaced);
  io(b.pose), io(b.in_parent), io(b.reversed);
  if (!b.ode) return;
  RawBody raw;
  uint8_t enabled = dBodyIsEnabled(b.ode) != 0;
  if (!Io::reading) raw.take(b.ode);
  io(raw), io(enabled);
  if (!Io::reading) return;
  raw.give(b.ode);
  if (enabled)
    dBodyEnable(b.ode);
  else
    dBodyDisable(b.ode);
}

template <class Io>
void transfer_joint(Io &io, Joint &j) {
  io(j.feedback);
  if (j.kinematic) io(j.rest);
  for (int i = 0; i < j.axis_count(); ++i) {
    JointAxis &a = j.axes[i];
    io(a.position), io(a.velocity), io(a.offset), io(a.motor), io(a.brake), io(a.at_stop);
  }
}

template <class Io>
void transfer3(Io &io, dReal *v) {
  for (int i = 0; i < 3; ++i) io(v[i]);
}

// Field by field: padding in ODE's structs is undefined, and pointers are meaningless in a state.
template <class Io>
void transfer_contact(Io &io, Contact &c) {
  dSurfaceParameters &s = c.ode.surface;
  io(s.mode);
  for (dReal *v : {&s.mu, &s.mu2, &s.rho, &s.rho2, &s.rhoN, &s.bounce, &s.bounce_vel, &s.soft_erp,
                   &s.soft_cfm, &s.motion1, &s.motion2, &s.motionN, &s.slip1, &s.slip2})
    io(*v);
  transfer3(io, c.ode.geom.pos), transfer3(io, c.ode.geom.normal), transfer3(io, c.ode.fdir1);
  io(c.ode.geom.depth), io(c.ode.geom.side1), io(c.ode.geom.side2);
  io(c.geom_a), io(c.geom_b), io(c.body_a), io(c.body_b);
  transfer3(io, c.feedback.f1), transfer3(io, c.feedback.t1);
  transfer3(io, c.feedback.f2), transfer3(io, c.feedback.t2);
}

template <class Io>
void transfer_contacts(Io &io, std::vector<Contact> &contacts, const Slots<Geom> &geoms,
                       const Slots<Body> &bodies) {
  const auto known = [&](uint32_t body) { return body == kNone || (bodies.alive(body) && bodies[body].ode); };
  uint64_t count = contacts.size();
  io(count);
  if (Io::reading) {
    // A damaged count must not allocate gigabytes.
    if (count > 1u << 24) throw std::invalid_argument("the state is damaged");
    contacts.resize(count);
  }
  for (Contact &c : contacts) {
    if (Io::reading) c.ode = dContact{};
    transfer_contact(io, c);
    if (!Io::reading) continue;
    if (!geoms.alive(c.geom_a) || !geoms.alive(c.geom_b) || !known(c.body_a) || !known(c.body_b))
      throw std::invalid_argument("the state is damaged");
    c.ode.geom.g1 = geoms[c.geom_a].ode.id();
    c.ode.geom.g2 = geoms[c.geom_b].ode.id();
  }
}

template <class Io>
void transfer_pairs(Io &io, std::vector<std::pair<uint32_t, uint32_t>> &pairs) {
  uint64_t count = pairs.size();
  io(count);
  if (Io::reading) {
    if (count > 1u << 24) throw std::invalid_argument("the state is damaged");
    pairs.resize(count);
  }
  for (auto &[first, second] : pairs) io(first), io(second);
}

}  // namespace

// Hashes what must match for a state to be restored: the slots in use and their kinds.
struct StateAccess {
  static uint64_t structure(const World &w) {
    Hash h;
    for (uint32_t s : w.bodies.live()) h.add(s), h.add(static_cast<uint64_t>(w.bodies[s].kind));
    h.add(~0ull);  // separates the lists
    for (uint32_t s : w.joints.live()) {
      const Joint &j = w.joints[s];
      h.add(s), h.add(static_cast<uint64_t>(j.kind)), h.add(j.row), h.add(j.parent), h.add(j.child);
    }
    h.add(~1ull);
    for (uint32_t s : w.geoms.live()) h.add(s), h.add(static_cast<uint64_t>(w.geoms[s].shape.kind));
    h.add(~2ull);
    for (uint32_t s : w.propellers.live()) h.add(s);
    h.add(~4ull);
    for (uint32_t s : w.tracks.live()) h.add(s);
    h.add(~5ull);
    for (uint32_t s : w.immersions.live()) h.add(s);
    return h.value;
  }

  template <class Io>
  static void transfer(Io &io, World &w) {
    uint64_t seed = w.ode_seed_;
    io(w.time), io(w.steps), io(w.random), io(seed), io(w.collided_);
    w.ode_seed_ = static_cast<unsigned long>(seed);
    for (uint32_t s : w.bodies.live()) transfer_body(io, w.bodies[s]);
    for (uint32_t s : w.joints.live()) transfer_joint(io, w.joints[s]);
    for (uint32_t s : w.geoms.live()) {
      Geom &g = w.geoms[s];
      if (g.body == kNone) io(g.offset);
      io(g.fresh), io(g.stirred);
    }
    io(w.fresh_), io(w.displaced_);
    for (uint32_t s : w.propellers.live()) {
      Propeller &p = w.propellers[s];
      io(p.motor), io(p.position), io(p.thrust), io(p.torque);
    }
    for (uint32_t s : w.tracks.live()) {
      Track &t = w.tracks[s];
      io(t.motor), io(t.position), io(t.speed), io(t.brake);
    }
    transfer_contacts(io, w.kept_contacts, w.geoms, w.bodies);
    transfer_contacts(io, w.contacts, w.geoms, w.bodies);
    transfer_contacts(io, w.solved_contacts, w.geoms, w.bodies);
    transfer_pairs(io, w.immersed_);
  }

  // Updates everything that follows from the restored values.
  static void settle(World &w) {
    w.broken_.clear();
    // Caches and flags that refer to the previous state.
    w.resting_of_ = 0;
    ++w.awake_changes_;
    w.stirred_geoms_.clear();
    for (uint32_t s : w.geoms.live())
      if (w.geoms[s].stirred) w.stirred_geoms_.push_back(s);
    for (uint32_t s : w.bodies.live()) {
      w.geoms_moved(w.bodies[s]);
      w.refresh_row(s);
    }
    for (uint32_t s : w.geoms.live())
      if (w.geoms[s].body == kNone) w.place_geom(w.geoms[s]), w.mark_moved(s);
    for (uint32_t s : w.joints.live()) {
      if (!w.joints[s].kinematic) w.configure_springs(w.joints[s]);
      w.store_positions(w.joints[s]);
    }
    // ODE's contact joints hold pointers, so they are created again from the restored contacts.
    w.make_contact_joints(false);
    w.update_all_bounds();
  }
};

std::vector<char> World::save() {
  ByteWriter writer;
  uint64_t magic = is_precise() ? kPreciseMagic : kMagic, structure = StateAccess::structure(*this);
  writer(magic), writer(structure);
  StateAccess::transfer(writer, *this);
  uint64_t sum = hash_bytes(writer.bytes.data(), writer.bytes.size());
  writer(sum);
  return std::move(writer.bytes);
}

void World::restore(const char *data, size_t size) {
  check_change();
  uint64_t magic = 0, structure = 0, sum = 0;
  if (size < 3 * sizeof(uint64_t)) throw std::invalid_argument("not a state of a world: too short");
  std::memcpy(&sum, data + size - sizeof sum, sizeof sum);
  ByteReader reader(data, size - sizeof sum);
  reader(magic);
  if (magic != kMagic && magic != kPreciseMagic) throw std::invalid_argument("not a state of a world");
  if (sum != hash_bytes(data, size - sizeof sum)) throw std::invalid_argument("the state is damaged");
  if (magic != (is_precise() ? kPreciseMagic : kMagic))
    throw std::invalid_argument("the state belongs to a world with another law of contact");
  reader(structure);
  if (structure != StateAccess::structure(*this))
    throw std::invalid_argument("the state belongs to a world with different bodies, geoms or joints");
  const uint64_t before = steps;
  StateAccess::transfer(reader, *this);
  if (!reader.at_end()) throw std::invalid_argument("the state is too long");
  // Rays are not part of the state; shifting their schedule keeps the time until the next cast.
  for (uint32_t s : rays.live()) rays[s].next += steps - before;
  StateAccess::settle(*this);
}

std::vector<char> World::save_body(uint32_t slot) {
  ByteWriter writer;
  transfer_body(writer, bodies[slot]);
  return std::move(writer.bytes);
}

void World::restore_body(uint32_t slot, const char *data, size_t size) {
  const size_t expected = save_body(slot).size();
  if (size != expected) throw std::invalid_argument("not a state of a body of this kind");
  ByteReader reader(data, size);
  transfer_body(reader, bodies[slot]);
  ++awake_changes_;
  geoms_moved(bodies[slot]);
  displaced(slot);
  refresh_row(slot);
}

uint64_t World::hash() {
  Hash h;
  h.add(steps);
  if (is_precise()) h.add(kPreciseMagic);
  for (uint32_t s : bodies.live()) {
    h.add(columns.positions.row(s), 3), h.add(columns.quaternions.row(s), 4);
    h.add(columns.linear_velocities.row(s), 3), h.add(columns.angular_velocities.row(s), 3);
  }
  for (uint32_t s : joints.live()) {
    const Joint &j = joints[s];
    for (int i = 0; i < j.axis_count(); ++i)
      h.add(columns.joint_positions.row(j.row + i), 1), h.add(columns.joint_velocities.row(j.row + i), 1);
  }
  return h.value;
}

}  // namespace wb
