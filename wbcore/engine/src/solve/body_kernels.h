// Inertia, gyroscopic torques and motion of several bodies at once, one in each lane.
#pragma once

#include "../platform/vector.h"

namespace wb::solve {

// By the lane of the body: where its numbers are. Matrices of ODE have four numbers a row; symmetric ones
// here six: xx xy xz yy yz zz.
struct InertiaBatch {
  const double *rotation[kMostLanes], *own[kMostLanes], *spin[kMostLanes];  // own: in the body's frame
  double *inertia[kMostLanes];                                              // in the world's axes
  double *torque[kMostLanes];                 // ODE's implicit gyroscopic torque
  alignas(64) double gyroscopic[kMostLanes];  // 0: there is no such torque
  // Positive, as xx, of an inertia that can be inverted.
  alignas(64) double minor[kMostLanes], determinant[kMostLanes];
};

// The same for the pose of a body and its motion.
struct MotionBatch {
  double *position[kMostLanes], *rotation[kMostLanes], *orientation[kMostLanes];  // orientation: w x y z
  const double *velocity[kMostLanes], *spin[kMostLanes];
};

struct BodyKernels {
  void (*turn)(InertiaBatch &batch, double h);
  void (*move)(MotionBatch &batch, double h);
};
const BodyKernels &body_kernels();

}  // namespace wb::solve
