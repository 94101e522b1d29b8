// The physics plugin of a world: its place in a step, the pairs it is asked about, and what it changed.
#include <algorithm>
#include <map>

#include "world.h"

namespace wb {
namespace {

bool boxes_touch(dGeomID a, dGeomID b) {
  dReal x[6], y[6];
  dGeomGetAABB(a, x);
  dGeomGetAABB(b, y);
  for (int i = 0; i < 6; i += 2)
    if (x[i] > y[i + 1] || y[i] > x[i + 1]) return false;
  return true;
}

// As ODE decides it for the geoms of a space; a plugin may set these bits, or disable a geom.
bool may_collide(dGeomID a, dGeomID b) {
  if (!dGeomIsEnabled(a) || !dGeomIsEnabled(b)) return false;
  return (dGeomGetCategoryBits(a) & dGeomGetCollideBits(b)) ||
         (dGeomGetCategoryBits(b) & dGeomGetCollideBits(a));
}

// Joints that the plugin made count here; those of the world were judged before.
bool are_joined(dGeomID a, dGeomID b) {
  const dBodyID one = dGeomGetBody(a), other = dGeomGetBody(b);
  if (!one && !other) return false;
  return dAreConnectedExcluding(one ? one : other, one ? other : nullptr, dJointTypeContact) != 0;
}

}  // namespace

void World::attach_plugin(std::shared_ptr<StepPlugin> plugin) {
  check_change();
  MessageScope scope(enter_ode(), &messages);
  rules_changed();  // it is asked about pairs that no rule lets touch
  if (!plugin) {
    plugin_.reset();
    plugin_spaces_.reset();
    if (plugin_contacts_) dJointGroupDestroy(plugin_contacts_);
    plugin_contacts_ = nullptr;
    return;
  }
  plugin_ = std::move(plugin);
  if (plugin_contacts_) return;
  plugin_contacts_ = dJointGroupCreate(0);
  plugin_spaces_.emplace();
  plugin_spaces_->update(geoms);
}

// A plugin may write to all bodies.
void World::take_changes_of_plugin() {
  bool stale = awake_of_ != awake_changes_;
  for (uint32_t slot : bodies.live()) {
    const Body &b = bodies[slot];
    if (!b.ode) continue;
    stale |= b.awake() != b.stepped;
    const double *known = columns.quaternions.row(slot);
    const bool turned = !std::equal(known, known + 4, b.quaternion);
    const Vec3 before{columns.positions.row(slot)[0], columns.positions.row(slot)[1],
                      columns.positions.row(slot)[2]};
    refresh_row(slot);
    if (turned || !std::equal(before.begin(), before.end(), columns.positions.row(slot))) geoms_moved(b);
  }
  if (stale) ++awake_changes_;
}

void World::begin_plugin_step() {
  plugin_->step();
  take_changes_of_plugin();
}

void World::end_plugin_step() {
  plugin_->step_end();
  take_changes_of_plugin();
}

// Asks the plugin about each pair whose bounds overlap, as Webots does: about spaces first, then about the
// geoms in them, and also about pairs that the world itself would skip. `plugin_took_` marks the pairs, by
// their place in the list, for which the world makes no contacts.
void World::ask_plugin_about_pairs() {
  dJointGroupEmpty(plugin_contacts_);
  plugin_spaces_->update(geoms);
  ask_plugin_about_its_geoms();
  std::vector<Pair> &pairs = list_pairs();
  plugin_took_.assign(pairs.size(), 0);
  std::map<std::pair<dGeomID, dGeomID>, bool> spaces;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Geom &a = geoms[pairs[i].a], &b = geoms[pairs[i].b];
    if (a.role == GeomRole::fluid || b.role == GeomRole::fluid) continue;
    const dGeomID one = a.ode.id(), other = b.ode.id();
    if (!boxes_touch(one, other)) continue;
    if (!may_collide(one, other)) {
      plugin_took_[i] = 1;
      continue;
    }
    const dGeomID top_one = plugin_spaces_->top(one), top_other = plugin_spaces_->top(other);
    const bool in_spaces = top_one != top_other && (top_one != one || top_other != other);
    if (in_spaces) {
      const auto [place, is_new] = spaces.try_emplace({top_one, top_other}, false);
      if (is_new) place->second = plugin_->collide(top_one, top_other) != 0;
      if (place->second) {
        plugin_took_[i] = 1;
        continue;
      }
    }
    plugin_took_[i] = plugin_->collide(one, other) != 0 || are_joined(one, other);
  }
}

// The world makes no contacts for geoms that the plugin made.
void World::ask_plugin_about_its_geoms() {
  const std::vector<dGeomID> foreign = plugin_spaces_->foreign();
  for (size_t i = 0; i < foreign.size(); ++i) {
    const auto ask = [this, geom = foreign[i]](dGeomID other) {
      const dBodyID body = dGeomGetBody(geom);
      if (body && body == dGeomGetBody(other)) return;
      if (boxes_touch(geom, other) && may_collide(geom, other)) plugin_->collide(geom, other);
    };
    for (size_t k = i + 1; k < foreign.size(); ++k) ask(foreign[k]);
    const std::vector<uint32_t> &live = geoms.live();
    for (auto slot = live.rbegin(); slot != live.rend(); ++slot)
      if (geoms[*slot].role != GeomRole::fluid) ask(geoms[*slot].ode.id());
  }
}

dGeomID World::geom_of_solid(uint32_t body, int32_t solid) {
  if (!plugin_spaces_) return nullptr;
  plugin_spaces_->update(geoms);
  return plugin_spaces_->of_solid(geoms, body, solid);
}

}  // namespace wb
