// The part that a physics plugin takes in the steps of a world.
#pragma once

#include <ode/ode.h>

namespace wb {

// Errors are thrown as exceptions, and end the step.
class StepPlugin {
 public:
  virtual ~StepPlugin() = default;
  // Before the constraints are solved.
  virtual void step() = 0;
  // For two geoms or spaces whose bounds overlap. 0: the world makes the contacts; others: the plugin did.
  virtual int collide(dGeomID a, dGeomID b) = 0;
  // After the collision pass that follows the solution.
  virtual void step_end() = 0;
};

}  // namespace wb
