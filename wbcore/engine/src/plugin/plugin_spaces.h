// The ODE spaces that a physics plugin sees: one with all geoms of a world, and in it one for each solid with
// several geoms. The world itself finds its pairs without them.
#pragma once

#include <ode/ode.h>

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>

#include "../geom.h"
#include "../slots.h"

namespace wb {

class PluginSpaces {
 public:
  PluginSpaces();
  ~PluginSpaces();
  PluginSpaces(const PluginSpaces &) = delete;
  PluginSpaces &operator=(const PluginSpaces &) = delete;

  dSpaceID all() const { return all_; }
  // Puts new geoms of the world into their spaces. ODE takes destroyed ones out.
  void update(const Slots<Geom> &geoms);
  // The geom of a solid, or the space of its geoms; null if it has none.
  dGeomID of_solid(const Slots<Geom> &geoms, uint32_t body, int32_t solid) const;
  // The space of the solid that a geom belongs to, or the geom itself.
  dGeomID top(dGeomID geom) const;
  // Slot of a geom of the world; kNone for one that the plugin made.
  uint32_t slot(dGeomID geom) const;
  // The geoms that the plugin put into the space of the world, newest first.
  std::vector<dGeomID> foreign() const;

 private:
  using Solid = std::pair<uint32_t, int32_t>;
  dSpaceID all_;
  std::map<Solid, dSpaceID> spaces_;
  std::unordered_map<dGeomID, uint32_t> slots_;
};

}  // namespace wb
