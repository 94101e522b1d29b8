// The collision pass of a world: from pairs of geoms to contacts and ODE's contact joints.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "colliders.h"
#include "world.h"

namespace wb {
namespace {

// Depth of a box below a plane with normal n and distance d; negative if it is above.
double depth_below(const Box &box, const dVector4 plane) {
  double lowest = 0;
  for (int i = 0; i < 3; ++i) lowest += plane[i] * (plane[i] > 0 ? box.low[i] : box.high[i]);
  return plane[3] - lowest;
}

bool bounds_touch(const Geom &a, const Geom &b) {
  if (a.bounded() && b.bounded()) return a.bounds.overlaps(b.bounds);
  if (!a.bounded() && !b.bounded()) return true;
  return depth_below((a.bounded() ? a : b).bounds, (a.bounded() ? b : a).plane) >= 0;
}

// Blocks changes of the set of geoms while pairs are visited.
struct Walk {
  explicit Walk(bool &flag) : flag(flag), before(flag) { flag = true; }
  ~Walk() { flag = before; }
  bool &flag;
  bool before;
};

}  // namespace

// Moves the contacts of bodies that fell asleep to those that are kept, and drops those of bodies that woke.
// Contacts between geoms without a dynamic body are not kept: they are searched in every step.
void World::keep_sleeping_contacts() {
  if (kept_of_ == awake_changes_) return;
  kept_of_ = awake_changes_;
  std::erase_if(kept_contacts, [this](const Contact &c) { return active(c); });
  for (const Contact &c : solved_contacts) {
    if (active(c)) continue;
    if (c.body_a == kNone && c.body_b == kNone) continue;
    kept_contacts.push_back(c);
    kept_contacts.back().joint = nullptr;
  }
}

// Pairs that can make contacts or immerse a body.
void World::list_active_pairs() {
  std::vector<Pair> &pairs = list_pairs();
  if (active_pairs_of_ == awake_changes_ && active_pairs_list_ == pairs_.changes() &&
      active_pairs_rules_ == rules_version_)
    return;
  active_pairs_of_ = awake_changes_, active_pairs_list_ = pairs_.changes();
  active_pairs_rules_ = rules_version_;
  active_pairs_.clear();
  for (uint32_t i = 0; i < pairs.size(); ++i) {
    Pair &pair = pairs[i];
    if (pair.version != rules_version_) judge(pair);
    if (pair.verdict == Verdict::skip) continue;
    if (pair.verdict == Verdict::immersion || !asleep(geoms[pair.a], geoms[pair.b]))
      active_pairs_.push_back(i);
  }
}

void World::collide() {
  MessageScope scope(enter_ode(), &messages);
  follow_frames();
  update_all_bounds();
  find_contacts();
}

// Requires bounds of the current poses.
void World::find_contacts() {
  Walk walk(walking_);
  if (fresh_ || !stirred_geoms_.empty()) wake_beside_changed();
  std::swap(contacts, solved_contacts);
  contacts.clear();
  keep_sleeping_contacts();
  immersed_.clear();
  if (plugin_) ask_plugin_about_pairs();
  list_active_pairs();
  for (uint32_t i : active_pairs_) {
    if (taken_by_plugin(i)) continue;
    const Pair &pair = pairs_.listed()[i];
    if (!bounds_touch(geoms[pair.a], geoms[pair.b])) continue;
    if (pair.verdict == Verdict::immersion)
      immerse_pair(pair);
    else
      collide_pair(pair, contacts);
  }
  is_precise() ? inherit_forces() : inherit_places();
  make_contact_joints();
  keep_awake_on_moving();
  if (displaced_) settle_displaced();
  collided_ = true;
}

// Whether the bounds of a pair with this verdict meet.
bool World::may_touch(Pair &pair, Verdict verdict) {
  if (pair.version != rules_version_) judge(pair);
  return pair.verdict == verdict && bounds_touch(geoms[pair.a], geoms[pair.b]);
}

// A geom that is new, has a new shape or was moved wakes the bodies that it overlaps; one that was moved also
// those that rested on it.
void World::wake_beside_changed() {
  if (!stirred_geoms_.empty()) wake_resting_on([this](uint32_t geom) { return geoms[geom].stirred; });
  if (!awake_ones().all)
    for (uint32_t slot : stirred_geoms_) wake_beside(slot);
  if (!fresh_) return;
  for (uint32_t slot : geoms.live()) {
    if (geoms[slot].fresh && !awake_ones().all) wake_beside(slot);
    geoms[slot].fresh = false;
  }
  fresh_ = false;
}

void World::wake_beside(uint32_t slot) {
  const Geom &g = geoms[slot];
  std::vector<Contact> found;
  const auto try_pair = [&](uint32_t other) {
    const Geom &o = geoms[other];
    if (other == slot || (g.body != kNone && g.body == o.body) || !asleep(g, o)) return;
    const bool newer = g.order > o.order;
    Pair pair{0, 0, newer ? slot : other, newer ? other : slot, 0, Verdict::skip, 0};
    judge(pair);
    if (pair.verdict == Verdict::skip || !bounds_touch(g, o)) return;
    if (pair.verdict == Verdict::contact && !collide_pair(pair, found)) return;
    for (uint32_t body : {g.body, o.body})
      if (!immovable(body)) set_awake(body, true);
  };
  if (!g.bounded()) {
    for (uint32_t other : geoms.live()) try_pair(other);
    return;
  }
  pairs_.tree().query(g.bounds, try_pair);
  for (uint32_t other : pairs_.unbounded()) try_pair(other);
}

// Wakes what slept in contact with certain geoms.
void World::wake_resting_on(const std::function<bool(uint32_t)> &of_interest) {
  for (const Contact &c : kept_contacts)
    if (of_interest(c.geom_a) || of_interest(c.geom_b))
      for (uint32_t body : {c.body_a, c.body_b})
        if (body != kNone) set_awake(body, true);
}

// What touches a geom that moves, or a belt that runs, is not at rest.
void World::keep_awake_on_moving() {
  if (stirred_geoms_.empty() && tracks.live().empty()) return;
  const auto moves = [this](const Geom &g) {
    return g.stirred || (g.track != kNone && tracks[g.track].speed != 0);
  };
  for (const Contact &c : contacts)
    if (moves(geoms[c.geom_a]) || moves(geoms[c.geom_b]))
      for (uint32_t body : {c.body_a, c.body_b})
        if (body != kNone) bodies[body].idle_left = bodies[body].idle_time;
  for (uint32_t slot : stirred_geoms_) geoms[slot].stirred = false;
  stirred_geoms_.clear();
}

// The contacts of a body that sleeps are searched when it wakes.
void World::settle_displaced() {
  displaced_ = false;
  for (uint32_t slot : bodies.live()) {
    Body &b = bodies[slot];
    b.displaced &= !b.awake();
    displaced_ |= b.displaced;
  }
}

const std::vector<Contact> &World::resting_contacts() {
  const uint64_t sleepers = hash_of_sleepers();
  if (resting_of_ == sleepers) return resting_;
  MessageScope scope(enter_ode(), &messages);
  Walk walk(walking_);
  resting_.clear();
  for (Pair &pair : pairs_.listed())
    if (asleep(geoms[pair.a], geoms[pair.b]) && may_touch(pair, Verdict::contact))
      collide_pair(pair, resting_);
  resting_of_ = sleepers;
  return resting_;
}

bool World::collide_pair(const Pair &pair, std::vector<Contact> &list) {
  const Geom &a = geoms[pair.a], &b = geoms[pair.b];
  if (on_pair && on_pair(pair.a, pair.b)) return false;
  collide_geoms(a, b, found_);
  choose_contacts(found_, static_cast<int>(surfaces[pair.surface].max_contacts));
  for (const dContactGeom &found : found_) {
    Contact &c = list.emplace_back();
    c.geom_a = pair.a, c.geom_b = pair.b;
    c.body_a = stands(a.body) ? kNone : a.body;
    c.body_b = stands(b.body) ? kNone : b.body;
    c.ode.geom = found;
    c.ode.surface = surfaces.base(pair.surface);
    if (surfaces.asymmetric(pair.surface)) surfaces.fill_asymmetric(pair.surface, a, b, c.ode);
    if (a.track != kNone) run_belt(a, false, c);
    if (b.track != kNone) run_belt(b, true, c);
  }
  return !found_.empty();
}

void World::take_places() {
  const auto take = [](Contact &c) {
    if (dJointID joint = std::exchange(c.joint, nullptr)) c.places = places_of(joint);
  };
  std::for_each(contacts.begin(), contacts.end(), take);
  if (sleepers_joined_) std::for_each(kept_contacts.begin(), kept_contacts.end(), take);
}

// A contact takes over from the nearest former one of the same two geoms, which are in the same order in both
// lists.
void World::inherit_places() {
  constexpr size_t kReach = 64;
  const auto same_pair = [](const Contact &a, const Contact &b) {
    return a.geom_a == b.geom_a && a.geom_b == b.geom_b;
  };
  size_t next = 0;
  for (Contact &c : contacts) {
    size_t begin = next;
    const size_t end = std::min(solved_contacts.size(), begin + kReach);
    while (begin < end && !same_pair(solved_contacts[begin], c)) ++begin;
    if (begin == end) continue;
    next = begin;
    double nearest = std::numeric_limits<double>::infinity();
    for (size_t i = begin; i < solved_contacts.size() && same_pair(solved_contacts[i], c); ++i) {
      const Vec3 apart = vec(solved_contacts[i].ode.geom.pos) - vec(c.ode.geom.pos);
      if (const double distance = dot(apart, apart); distance < nearest) {
        nearest = distance;
        c.places = solved_contacts[i].places;
      }
    }
  }
}

// Without those that are kept: most sleepers are touched by no body that is awake.
void World::make_contact_joints(bool clear_feedback) {
  dJointGroupEmpty(contact_group_);
  for (std::vector<Contact> *list : {&contacts, &solved_contacts})
    for (Contact &c : *list) c.joint = nullptr;
  if (sleepers_joined_)
    for (Contact &c : kept_contacts) c.joint = nullptr;
  sleepers_joined_ = false;
  make_joints_of(contacts, clear_feedback);
}

void World::make_joints_of(std::vector<Contact> &list, bool clear_feedback) {
  for (Contact &c : list) {
    const dBodyID a = c.body_a == kNone ? nullptr : bodies[c.body_a].ode;
    const dBodyID b = c.body_b == kNone ? nullptr : bodies[c.body_b].ode;
    if (!a && !b) continue;
    const dJointID joint = dJointCreateContact(ode_, contact_group_, &c.ode);
    dJointAttach(joint, a, b);
    c.joint = joint;
    is_precise() ? give_force(joint, c.feedback.f1) : give_places(joint, c.places);
    if (!contact_feedback && !is_precise()) continue;
    if (clear_feedback && !is_precise()) std::memset(&c.feedback, 0, sizeof c.feedback);
    dJointSetFeedback(joint, &c.feedback);
  }
}

// A removed geom leaves no contacts, and wakes what rested on it.
void World::forget_contacts_of_geom(uint32_t slot) {
  const auto is_it = [slot](uint32_t geom) { return geom == slot; };
  std::erase_if(solved_contacts, [slot](const Contact &c) { return c.geom_a == slot || c.geom_b == slot; });
  std::erase_if(resting_, [slot](const Contact &c) { return c.geom_a == slot || c.geom_b == slot; });
  std::erase_if(immersed_, [slot](const auto &pair) { return pair.second == slot; });
  forget_contacts(is_it);
}

// Forgets the contacts that would act in the next step, and wakes the bodies that had them.
void World::forget_contacts(const std::function<bool(uint32_t)> &of_geom) {
  const auto touches = [&](const Contact &c) { return of_geom(c.geom_a) || of_geom(c.geom_b); };
  resting_of_ = 0;
  bool found = false;
  for (const std::vector<Contact> *list : {&kept_contacts, &contacts})
    for (const Contact &c : *list) {
      if (!touches(c)) continue;
      found = true;
      for (uint32_t body : {c.body_a, c.body_b})
        if (body != kNone) set_awake(body, true);
    }
  if (!found) return;
  std::erase_if(kept_contacts, touches);
  std::erase_if(contacts, touches);
  make_contact_joints();
}

}  // namespace wb
