// The contacts of a step under the law "precise": they are found where bodies are expected at its end.
#include <algorithm>
#include <limits>

#include "expected.h"
#include "world.h"

namespace wb {
namespace {

// A pose as ODE stores it: setting it through ODE's functions would change the last bits.
struct StoredPose {
  dBodyID body;
  dReal position[3], quaternion[4], rotation[12];

  explicit StoredPose(const Body &b) : body(b.ode) {
    std::copy_n(b.position, 3, position);
    std::copy_n(b.quaternion, 4, quaternion);
    std::copy_n(b.rotation, 12, rotation);
  }
  void put_back() const {
    std::copy_n(quaternion, 4, const_cast<dReal *>(dBodyGetQuaternion(body)));
    std::copy_n(rotation, 12, const_cast<dReal *>(dBodyGetRotation(body)));
    dBodySetPosition(body, position[0], position[1], position[2]);  // also notifies the geoms
  }
};

// Moves a body to where it is expected after a step. Its velocity stays.
void advance(const Body &b, double dt) {
  const Vec3 place = vec(b.position) + expected_velocity(b.ode, dt) * dt;
  const Quat q{b.quaternion[0], b.quaternion[1], b.quaternion[2], b.quaternion[3]};
  const Quat rate = Quat{0, b.spin[0], b.spin[1], b.spin[2]} * q;
  dQuaternion next;
  for (int i = 0; i < 4; ++i) next[i] = q[i] + 0.5 * dt * rate[i];
  dBodySetQuaternion(b.ode, next);  // normalizes it
  dBodySetPosition(b.ode, place[0], place[1], place[2]);
}

bool bears(const Contact &c) {
  return std::any_of(c.feedback.f1, c.feedback.f1 + 3, [](dReal f) { return f != 0; });
}

}  // namespace

void World::find_contacts_ahead() {
  follow_frames();
  std::vector<StoredPose> stored;
  for (uint32_t slot : awake_ones().bodies) {
    stored.emplace_back(bodies[slot]);
    advance(bodies[slot], settings_.dt);
  }
  update_all_bounds();
  find_contacts();
  for (const StoredPose &pose : stored) pose.put_back();
}

// Each force of the step before passes on to the nearest contact of the same two geoms: the solver begins
// with them. The pairs of geoms are in the same order in both lists.
void World::inherit_forces() {
  constexpr size_t kReach = 64;
  const auto same_pair = [](const Contact &a, const Contact &b) {
    return a.geom_a == b.geom_a && a.geom_b == b.geom_b;
  };
  size_t next = 0;
  for (const Contact &former : solved_contacts) {
    size_t begin = next;
    const size_t end = std::min(contacts.size(), begin + kReach);
    while (begin < end && !same_pair(contacts[begin], former)) ++begin;
    if (begin == end) continue;
    next = begin;
    size_t nearest = begin;
    double least = std::numeric_limits<double>::infinity();
    for (size_t i = begin; i < contacts.size() && same_pair(contacts[i], former); ++i) {
      const Vec3 apart = vec(contacts[i].ode.geom.pos) - vec(former.ode.geom.pos);
      if (const double distance = dot(apart, apart); distance < least) least = distance, nearest = i;
    }
    for (int i = 0; i < 3; ++i) contacts[nearest].feedback.f1[i] += former.feedback.f1[i];
  }
}

// Contacts that bore nothing were only expected. Those between geoms without a body have no forces.
void World::keep_bearing_contacts() {
  std::erase_if(contacts, [this](const Contact &c) {
    return (c.body_a != kNone || c.body_b != kNone) && active(c) && !bears(c);
  });
  solved_contacts = contacts;
}

}  // namespace wb
