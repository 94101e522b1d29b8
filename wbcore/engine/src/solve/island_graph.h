// Bodies and joints of an island as trees: which joint is on which edge, and which close cycles.
#pragma once

#include "equations.h"

namespace wb::solve {

// What ODE calls one island.
struct IslandParts {
  dxWorld *world;
  dxBody *const *bodies;
  dxJoint *const *joints;
  uint32_t body_count, joint_count;
};

// Breadth-first trees over the bodies that have mass, each from a body with a joint to the world, or else the
// one with the most neighbors. Kinematic bodies count as the world, whose velocity they have.
class IslandGraph {
 public:
  // Asks the joints for their numbers of rows. Returns the sum, in which a row of a contact counts threefold:
  // each takes the dense solver a step of pivoting, and this one none.
  static constexpr uint32_t kWeightOfContact = 3;
  uint32_t weigh_rows(const IslandParts &parts, Equations &eq);
  // Fills nodes and places of rows. Returns the number of rows that close cycles.
  uint32_t build(const IslandParts &parts, Equations &eq);

 private:
  struct Neighbor {
    int32_t body, next;
  };
  void link_bodies(const Equations &eq);
  void link(int32_t a, int32_t b);
  void grow(const IslandParts &parts, Equations &eq, int32_t root);
  int32_t next_root() const;
  void place_rows(Equations &eq);

  std::vector<int32_t> first_, degree_, node_of_;  // by the body's number in the island
  std::vector<Neighbor> neighbors_;
};

}  // namespace wb::solve
