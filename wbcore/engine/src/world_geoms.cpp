// Geoms of a world: creation, pose, bounds, and which pairs of them may make contacts.
#include <algorithm>

#include "world.h"

namespace wb {
namespace {

bool categories_meet(const Geom &a, const Geom &b) {
  return (a.category & b.collides_with) || (b.category & a.collides_with);
}

// Joints whose bodies may overlap around the common anchor.
bool turns(JointKind kind) {
  return kind == JointKind::hinge || kind == JointKind::hinge2 || kind == JointKind::ball;
}

Vec3 anchor_in(const Joint &joint, uint32_t body) {
  return joint.child == body ? joint.anchor_in_child : joint.anchor_in_parent;
}

uint32_t partner(const Joint &joint, uint32_t body) {
  return joint.child == body ? joint.parent : joint.child;
}

}  // namespace

uint32_t World::add_geom(const Shape &shape, uint32_t body, const Pose &offset) {
  check_change();
  if (shape.kind == ShapeKind::plane && body != kNone && bodies[body].ode)
    throw std::invalid_argument("a plane cannot belong to a body with mass");
  Geom geom;
  geom.ode = OdeGeom(shape);
  geom.shape = shape;
  geom.half_thickness = half_thickness(shape);
  geom.offset = offset;
  geom.body = body;
  const uint32_t group = body == kNone ? next_order_++ : bodies[body].order;
  geom.order = static_cast<uint64_t>(group) << 32 | next_geom_order_++;
  const uint32_t slot = geoms.add(std::move(geom));
  if (body != kNone) bodies[body].geoms.push_back(slot);
  place_geom(geoms[slot]);
  update_bounds(slot);
  pairs_.add(geoms, slot);
  fresh_ = true;
  collided_ = false;
  ++awake_changes_;
  return slot;
}

void World::remove_geom(uint32_t slot) {
  check_change();
  Geom &g = geoms[slot];
  forget_contacts_of_geom(slot);
  pairs_.remove(geoms, slot);
  if (g.body != kNone) std::erase(bodies[g.body].geoms, slot);
  if (g.fluid != kNone) fluids[g.fluid].geom = kNone;
  std::erase(moved_geoms_, slot);
  std::erase(stirred_geoms_, slot);
  geoms.remove(slot);
  ++awake_changes_;
}

void World::set_geom_offset(uint32_t slot, const Pose &offset) {
  geoms[slot].offset = offset;
  place_geom(geoms[slot]);
  mark_moved(slot);
  geom_changed(slot);
}

void World::geom_changed(uint32_t slot) {
  const Geom &g = geoms[slot];
  forget_contacts([slot](uint32_t geom) { return geom == slot; });
  stir(slot);
  collided_ = false;
  if (g.body == kNone || !bodies[g.body].ode) return;
  bodies[g.body].displaced = displaced_ = true;
  set_awake(g.body, true);
}

// Marks a geom that moves although no dynamic body carries it.
void World::stir(uint32_t slot) {
  if (!geoms[slot].stirred) stirred_geoms_.push_back(slot);
  geoms[slot].stirred = true;
  if (geoms[slot].fluid != kNone) wake_immersed(geoms[slot].fluid);
}

void World::replace_shape(uint32_t slot, const Shape &shape) {
  check_change();
  Geom &g = geoms[slot];
  if (shape.kind == ShapeKind::plane || g.shape.kind == ShapeKind::plane)
    throw std::invalid_argument(
        "a plane cannot be replaced by another shape or vice versa; remove it and add the other");
  forget_contacts_of_geom(slot);
  g.ode = OdeGeom(shape);
  g.shape = shape;
  g.half_thickness = half_thickness(shape);
  g.facets.clear();
  place_geom(g);
  mark_moved(slot);
  fresh_ = g.fresh = true;
  collided_ = false;
}

// Sets the pose in ODE: as an offset from the center of mass of a body, or in the world.
void World::place_geom(Geom &g) {
  const dGeomID id = g.ode.id();
  const Body *body = g.body == kNone ? nullptr : &bodies[g.body];
  Pose own = g.offset * g.shape.ode_frame();
  dMatrix3 r;
  if (body && body->ode) {
    own.position = own.position - body->mass.center;
    if (!dGeomGetBody(id)) dGeomSetBody(id, body->ode);
    if (own.position == kZero && own.rotation == kIdentity) {
      dGeomClearOffset(id);  // saves ODE from computing a separate pose for the geom
      return;
    }
    to_ode(own.rotation, r);
    dGeomSetOffsetPosition(id, own.position[0], own.position[1], own.position[2]);
    dGeomSetOffsetRotation(id, r);
    return;
  }
  if (body) own = body->pose * own;
  if (g.shape.kind == ShapeKind::plane) {
    const Vec3 n = column(own.rotation, 2);
    dGeomPlaneSetParams(id, n[0], n[1], n[2], dot(n, own.position));
    dGeomPlaneGetParams(id, g.plane);
    g.plane_axes = body ? body->pose.rotation * g.offset.rotation : g.offset.rotation;
    return;
  }
  to_ode(own.rotation, r);
  dGeomSetPosition(id, own.position[0], own.position[1], own.position[2]);
  dGeomSetRotation(id, r);
}

Pose World::geom_pose(uint32_t slot) const {
  const Geom &g = geoms[slot];
  return g.body == kNone ? g.offset : body_pose(g.body) * g.offset;
}

void World::update_bounds(uint32_t slot) {
  Geom &g = geoms[slot];
  g.moved = false;
  ++g.places;
  if (!g.bounded()) return;
  const Box bounds = bounds_of(g);
  const bool moves = g.body != kNone && bodies[g.body].ode;
  pairs_.update(geoms, slot, bounds, moves ? bodies[g.body].velocity : nullptr, settings_.dt);
}

void World::mark_moved(uint32_t slot) {
  if (!geoms[slot].moved) moved_geoms_.push_back(slot);
  geoms[slot].moved = true;
}

// In the order of their slots, because the shape of the tree depends on the order.
void World::update_all_bounds() {
  const Awake &awake = awake_ones();
  if (moved_geoms_.empty()) {
    for (uint32_t slot : awake.geoms) update_bounds(slot);
    return;
  }
  moved_geoms_.insert(moved_geoms_.end(), awake.geoms.begin(), awake.geoms.end());
  std::sort(moved_geoms_.begin(), moved_geoms_.end());
  moved_geoms_.erase(std::unique(moved_geoms_.begin(), moved_geoms_.end()), moved_geoms_.end());
  for (uint32_t slot : moved_geoms_) update_bounds(slot);
  moved_geoms_.clear();
}

void World::set_self_collision(int32_t robot, bool on) {
  require(robot >= 0 && robot < (1 << 24), "robot", "in 0 to 16777215", robot);
  if (self_collision_.size() <= static_cast<size_t>(robot)) self_collision_.resize(robot + 1, 0);
  if (self_collision_[robot] == on) return;
  self_collision_[robot] = on;
  rules_changed();
  for (uint32_t slot : geoms.live())
    if (geoms[slot].robot == robot && geoms[slot].body != kNone) set_awake(geoms[slot].body, true);
}

// They act in all contacts: those of sleepers are woken.
void World::set_contact_properties(uint32_t material1, uint32_t material2, const ContactProperties &p) {
  surfaces.set(material1, material2, p);
  rules_changed();
  wake_resting_on([](uint32_t) { return true; });
}

void World::remove_contact_properties(uint32_t material1, uint32_t material2) {
  surfaces.remove(material1, material2);
  rules_changed();
  wake_resting_on([](uint32_t) { return true; });
}

bool World::self_collision(int32_t robot) const {
  return robot >= 0 && static_cast<size_t>(robot) < self_collision_.size() && self_collision_[robot];
}

// Most pairs in a robot never touch: they are left out, unless a plugin has to be asked about them.
std::vector<Pair> &World::list_pairs() {
  return pairs_.list(geoms, rules_version_,
                     [this](const Geom &a, const Geom &b) { return !plugin_ && in_robot(a, b); });
}

// Whether they belong to a robot whose solids do not collide with each other. Fluids act on each solid.
bool World::in_robot(const Geom &a, const Geom &b) const {
  return a.robot >= 0 && a.robot == b.robot && a.role != GeomRole::fluid && b.role != GeomRole::fluid &&
         !self_collision(a.robot);
}

// Decides once what an overlap of a pair means; repeated only when a rule has changed.
void World::judge(Pair &pair) {
  const Geom &a = geoms[pair.a], &b = geoms[pair.b];
  pair.version = rules_version_;
  pair.verdict = Verdict::skip;
  if (!a.enabled || !b.enabled || !categories_meet(a, b)) return;
  if (a.role == GeomRole::fluid || b.role == GeomRole::fluid) {
    if (a.role != b.role) pair.verdict = Verdict::immersion;
    return;
  }
  if (in_robot(a, b)) return;
  const bool a_stands = stands(a.body), b_stands = stands(b.body);
  const bool fixed = immovable(a.body) && immovable(b.body);
  if (fixed && a.role != GeomRole::sensor && b.role != GeomRole::sensor) return;
  if (a_stands != b_stands && held_by_world(a_stands ? b.body : a.body)) return;
  if (!a_stands && !b_stands && chained(a.body, b.body)) return;
  pair.verdict = Verdict::contact;
  pair.surface = surfaces.find(a.material, b.material);
}

bool World::held_by_world(uint32_t body) const {
  for (uint32_t j : bodies[body].joints)
    if (!joints[j].kinematic && stands(partner(joints[j], body))) return true;
  return false;
}

// Whether the bodies are connected by one joint, or by a chain of rotational joints that share one anchor.
bool World::chained(uint32_t body_a, uint32_t body_b) const {
  for (uint32_t j : bodies[body_a].joints)
    if (partner(joints[j], body_a) == body_b) return true;
  constexpr double same = 1e-6;
  for (uint32_t first : bodies[body_a].joints) {
    if (!turns(joints[first].kind)) continue;
    std::vector<std::pair<uint32_t, uint32_t>> open{{partner(joints[first], body_a), first}};
    std::vector<uint32_t> seen{body_a};
    while (!open.empty()) {
      const auto [body, by] = open.back();
      open.pop_back();
      if (body == body_b) return true;
      if (stands(body) || std::find(seen.begin(), seen.end(), body) != seen.end()) continue;
      seen.push_back(body);
      const Vec3 anchor = anchor_in(joints[by], body);
      for (uint32_t j : bodies[body].joints)
        if (j != by && turns(joints[j].kind) && norm(anchor_in(joints[j], body) - anchor) < same)
          open.emplace_back(partner(joints[j], body), j);
    }
  }
  return false;
}

}  // namespace wb
