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
//
// The trees of the last island stay as they are for one with the same links, as in the next step of a world
// or in another copy of it; if only contacts with the world differ, the rows get new places.
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
  // A joint with rows between two bodies, by their numbers in the island.
  struct Link {
    int32_t rows, body0, body1;
    bool contact;
    bool operator==(const Link &) const = default;
  };
  void number_bodies(const IslandParts &parts);
  void build_anew(Equations &eq);
  bool list_edges();
  void grow_trees(Equations &eq);
  void link_bodies(const Equations &eq);
  void link(int32_t a, int32_t b);
  void grow(Equations &eq, int32_t root);
  int32_t next_root() const;
  void place_rows(Equations &eq);

  std::vector<Link> links_;                        // of the last island
  std::vector<uint8_t> heavy_;                     // whether its bodies have mass
  bool built_ = false;                             // the equations have the trees of these links
  std::vector<Link> edges_, edges_before_;         // the links that make the trees, of now and of the trees
  bool grown_ = false;                             // from bodies with these masses
  std::vector<int32_t> first_, degree_, node_of_;  // by the body's number in the island
  std::vector<Neighbor> neighbors_;
};

}  // namespace wb::solve
