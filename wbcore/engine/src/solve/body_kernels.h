// Inertia and gyroscopic torques of several bodies at once, one in each lane.
#pragma once

#include "../platform/vector.h"

namespace wb::solve {

// By the lane of the body. Symmetric matrices: xx xy xz yy yz zz.
struct BodyBatch {
  using Numbers = double[kMostLanes];
  alignas(64) Numbers rotation[9], own[9], spin[3];  // own: the inertia in the body's frame
  alignas(64) Numbers inertia[6];                    // in the world's axes
  alignas(64) Numbers torque[3];                     // ODE's implicit gyroscopic torque
  alignas(64) Numbers gyroscopic;                    // 0: there is no such torque
  alignas(64) Numbers minor, determinant;            // positive, as xx, of an inertia that can be inverted
};

struct BodyKernels {
  void (*turn)(BodyBatch &batch, double h);
};
const BodyKernels &body_kernels();

}  // namespace wb::solve
