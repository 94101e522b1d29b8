// The ODE spaces that a physics plugin sees.
#include "plugin_spaces.h"

namespace wb {

// As in Webots, simple spaces: their order of geoms, newest first, does not depend on where these are.
PluginSpaces::PluginSpaces() : all_(dSimpleSpaceCreate(nullptr)) { dSpaceSetCleanup(all_, 0); }

// Geoms outlive their spaces; the world destroys its own, and the plugin those that it made.
PluginSpaces::~PluginSpaces() {
  for (const auto &[solid, space] : spaces_) dSpaceDestroy(space);
  dSpaceDestroy(all_);
}

void PluginSpaces::update(const Slots<Geom> &geoms) {
  slots_.clear();
  std::map<Solid, uint32_t> counts;
  for (uint32_t slot : geoms.live()) {
    const Geom &g = geoms[slot];
    slots_[g.ode.id()] = slot;
    if (g.body != kNone && g.role != GeomRole::fluid) ++counts[{g.body, g.solid}];
  }
  for (uint32_t slot : geoms.live()) {
    const Geom &g = geoms[slot];
    if (dGeomGetSpace(g.ode.id())) continue;
    const Solid solid{g.body, g.solid};
    const auto count = counts.find(solid);
    if (count == counts.end() || count->second < 2) {
      dSpaceAdd(all_, g.ode.id());
      continue;
    }
    dSpaceID &space = spaces_[solid];
    if (!space) {
      space = dSimpleSpaceCreate(all_);
      dSpaceSetCleanup(space, 0);
    }
    dSpaceAdd(space, g.ode.id());
  }
}

dGeomID PluginSpaces::of_solid(const Slots<Geom> &geoms, uint32_t body, int32_t solid) const {
  const auto space = spaces_.find({body, solid});
  if (space != spaces_.end()) return reinterpret_cast<dGeomID>(space->second);
  for (uint32_t slot : geoms.live())
    if (geoms[slot].body == body && geoms[slot].solid == solid) return geoms[slot].ode.id();
  return nullptr;
}

dGeomID PluginSpaces::top(dGeomID geom) const {
  const dSpaceID space = dGeomGetSpace(geom);
  return space && space != all_ ? reinterpret_cast<dGeomID>(space) : geom;
}

uint32_t PluginSpaces::slot(dGeomID geom) const {
  const auto found = slots_.find(geom);
  return found == slots_.end() ? kNone : found->second;
}

std::vector<dGeomID> PluginSpaces::foreign() const {
  std::vector<dGeomID> found;
  const int count = dSpaceGetNumGeoms(all_);
  for (int i = 0; i < count; ++i) {
    const dGeomID geom = dSpaceGetGeom(all_, i);
    if (!dGeomIsSpace(geom) && slot(geom) == kNone) found.push_back(geom);
  }
  return found;
}

}  // namespace wb
