// Elimination of one node with the vector instructions of this process.
#include "equations.h"

#define WBRIDGE_WIDEST
#define WBRIDGE_KERNELS "../solve/elimination_kernels.inc"
namespace wb {
using solve::along, solve::EdgeRows, solve::Kernels, solve::NodeFactors, solve::NodeInput, solve::larger,
    solve::least_pivot, solve::kNothing, solve::Place, solve::Row, solve::Substitution;
}
#include "../platform/each_variant.h"

namespace wb::solve {

const Kernels &kernels() { return WBRIDGE_CHOOSE(kTable); }

}  // namespace wb::solve
