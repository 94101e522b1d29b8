// Turns several bodies at once with the vector instructions of this process.
#include "turn_kernels.h"

#define WBRIDGE_KERNELS "../turn_kernels.inc"
#include "platform/each_variant.h"

namespace wb {

const TurnKernels &turn_kernels() { return WBRIDGE_CHOOSE(kTable); }

}  // namespace wb
