// Inertia, gyroscopic torques and motion of several bodies with the vector instructions of this process.
#include "body_kernels.h"

#define WBRIDGE_KERNELS "../solve/body_kernels.inc"
namespace wb {
using solve::BodyKernels, solve::InertiaBatch, solve::MotionBatch;
}
#include "../platform/each_variant.h"

namespace wb::solve {

const BodyKernels &body_kernels() { return WBRIDGE_CHOOSE(kTable); }

}  // namespace wb::solve
