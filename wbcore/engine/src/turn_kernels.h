// Turns several bodies at once, one in each lane.
#pragma once

#include "platform/vector.h"

namespace wb {

// Axes, of any length, and half the angles about them, by lane; and orientations (w x y z) and matrices of
// ODE, which turn on.
struct TurnBatch {
  alignas(64) double axis[3][kMostLanes], sine[kMostLanes], cosine[kMostLanes];
  double *orientation[kMostLanes], *rotation[kMostLanes];
};

struct TurnKernels {
  void (*turn_on)(TurnBatch &batch);
};
const TurnKernels &turn_kernels();

}  // namespace wb
