// Reads the bodies and the joints' rows of an island into equations, and takes the solution back to them.
#pragma once

#include "island_graph.h"

namespace wb::solve {

// The forces of bodies as they were: ODE's joints add to them while they describe their rows.
class ForcesBefore {
 public:
  void remember(const IslandParts &parts);
  void restore(const IslandParts &parts) const;

 private:
  std::vector<double> forces_;
};

// Masses, inertia and forces. False: a body has no inertia that can be inverted.
bool read_bodies(const IslandParts &parts, double h, Equations &eq);

// The rows of all joints; comes before `read_bodies`, since joints add forces while they describe their rows.
void read_rows(const IslandParts &parts, double h, Equations &eq);

// Velocities and poses of the bodies at the end of the step, and the joints' feedback.
void write_feedback(const Equations &eq);
void write_bodies(const IslandParts &parts, double h, const Equations &eq);

}  // namespace wb::solve
