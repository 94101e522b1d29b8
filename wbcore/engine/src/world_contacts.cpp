// The collision pass of a world: from pairs of geoms to contacts and ODE's contact joints.
#include <algorithm>
#include <cstring>

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
  }
}

// Pairs that can make contacts or immerse a body.
void World::list_active_pairs() {
  std::vector<Pair> &pairs = pairs_.list(geoms);
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
  update_all_bounds();
  find_contacts();
}

// Requires bounds of the current poses.
void World::find_contacts() {
  Walk walk(walking_);
  if (fresh_) wake_beside_fresh();
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
  make_contact_joints();
  collided_ = true;
}

// Whether the bounds of a pair with this verdict meet.
bool World::may_touch(Pair &pair, Verdict verdict) {
  if (pair.version != rules_version_) judge(pair);
  return pair.verdict == verdict && bounds_touch(geoms[pair.a], geoms[pair.b]);
}

// A geom that is new or has a new shape wakes the bodies that it overlaps.
void World::wake_beside_fresh() {
  std::vector<Contact> found;
  for (Pair &pair : pairs_.list(geoms)) {
    const Geom &a = geoms[pair.a], &b = geoms[pair.b];
    if (!(a.fresh || b.fresh) || !asleep(a, b) || !may_touch(pair, Verdict::contact)) continue;
    if (!collide_pair(pair, found)) continue;
    for (uint32_t body : {a.body, b.body})
      if (!immovable(body)) set_awake(body, true);
  }
  for (uint32_t slot : geoms.live()) geoms[slot].fresh = false;
  fresh_ = false;
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

// Without those that are kept: most sleepers are touched by no body that is awake.
void World::make_contact_joints(bool clear_feedback) {
  dJointGroupEmpty(contact_group_);
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
    if (!contact_feedback) continue;
    if (clear_feedback) std::memset(&c.feedback, 0, sizeof c.feedback);
    dJointSetFeedback(joint, &c.feedback);
  }
}

// A removed geom leaves no contacts, and wakes what rested on it.
void World::forget_contacts_of_geom(uint32_t slot) {
  const auto touches = [slot](const Contact &c) { return c.geom_a == slot || c.geom_b == slot; };
  std::erase_if(solved_contacts, touches);
  std::erase_if(resting_, touches);
  resting_of_ = 0;
  bool found = false;
  for (const std::vector<Contact> *list : {&kept_contacts, &contacts})
    for (const Contact &c : *list) {
      if (!touches(c)) continue;
      found = true;
      for (uint32_t body : {c.body_a, c.body_b})
        if (body != kNone) set_awake(body, true);
    }
  std::erase_if(immersed_, [slot](const auto &pair) { return pair.second == slot; });
  if (!found) return;
  std::erase_if(kept_contacts, touches);
  std::erase_if(contacts, touches);
  make_contact_joints();
}

}  // namespace wb
