// One exact step of an island along its trees of bodies.
#include "sparse_step.h"

#include <cmath>

#include "active_sets.h"
#include "joints/joint.h"
#include "read_island.h"
#include "util.h"

namespace wb {
namespace {

using namespace solve;

// More rows that close cycles, or on one edge, take longer than ODE's dense matrix.
constexpr uint32_t kMostClosing = 120;
constexpr int32_t kMostOnEdge = 200;
constexpr uint32_t kMostRowsOfJoint = 6;

// The bounds of friction are the friction coefficients times the normal forces of the first phase. Without a
// normal force there is no friction, even if the coefficient is infinite.
void bound_friction(Equations &eq) {
  for (int32_t r : eq.friction) {
    Row &row = eq.rows[r];
    const double normal = eq.rows[row.normal].x;
    row.high = normal == 0 ? 0 : std::fabs(row.high * normal);
    row.low = -row.high;
    row.fixed = row.high == 0;
  }
}

// In the second phase a row begins where it ended the step before; one that the first phase moved follows it.
void begin_second_phase(Equations &eq) {
  for (int32_t r : eq.bounded) {
    Row &row = eq.rows[r];
    const Place before = row.place;
    const double x = row.x;
    const bool moved = row.normal == kNothing && row.memory[0] != static_cast<int8_t>(row.place);
    if (row.fixed)
      row.place = Place::low;
    else if (!moved)
      row.place = remembered(row, row.memory[1]);
    if (row.normal == kNothing) row.memory[0] = static_cast<int8_t>(before);
    if (row.place != Place::free) row.x = row.place == Place::low ? row.low : row.high;
    const bool acted = before == Place::free || x != 0, acts = row.place == Place::free || row.x != 0;
    const bool same = before == row.place && (before == Place::free || x == row.x);
    if (!row.closing && !same && (acted || acts)) eq.mark_stale(row.node);
  }
}

void remember_places(Equations &eq) {
  for (int32_t r : eq.bounded) {
    Row &row = eq.rows[r];
    const int8_t place = static_cast<int8_t>(row.fixed ? Place::free : row.place);
    row.memory[1] = place;
    if (eq.friction.empty()) row.memory[0] = place;
  }
}

}  // namespace

struct SparseStep::Parts {
  Parts() : solver(kernels()) {}

  bool run_phases(SparseCounts &counts);
  bool settle(SparseCounts &counts);
  bool is_finite() const;

  Equations eq;
  IslandGraph graph;
  ForcesBefore forces;
  LinearSolver solver;
  ActiveSets sets;
};

bool SparseStep::Parts::settle(SparseCounts &counts) {
  if (!sets.settle(eq, solver)) return false;
  solver.refine(eq);
  ++counts.phases;
  counts.first_tries += sets.first_try;
  return true;
}

// As in ODE, rows of friction are left out first, which gives the normal forces that bound them.
bool SparseStep::Parts::run_phases(SparseCounts &counts) {
  if (!settle(counts)) return false;
  if (!eq.friction.empty()) {
    bound_friction(eq);
    begin_second_phase(eq);
    if (!settle(counts)) return false;
  }
  remember_places(eq);
  return is_finite();
}

// Values that are not finite are left to ODE's solver, whose failures the world reports with the body.
bool SparseStep::Parts::is_finite() const {
  double sums[6] = {};
  for (const Node &n : eq.nodes)
    for (int i = 0; i < 6; ++i) sums[i] += n.a[i] * 0;
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + (sums[4] + sums[5]) == 0;
}

SparseStep::SparseStep() : parts_(std::make_unique<Parts>()) {}
SparseStep::~SparseStep() = default;

SparseResult SparseStep::solve(const dxStepperProcessingCallContext &call, uint32_t smallest) {
  const IslandParts parts{call.m_world, call.m_islandBodiesStart, call.m_islandJointsStart,
                          static_cast<uint32_t>(call.m_islandBodiesCount),
                          static_cast<uint32_t>(call.m_islandJointsCount)};
  if (parts.joint_count * kMostRowsOfJoint * IslandGraph::kWeightOfContact < smallest)
    return SparseResult::declined;
  Parts &p = *parts_;
  if (p.graph.weigh_rows(parts, p.eq) < smallest) return SparseResult::declined;
  if (p.graph.build(parts, p.eq) > kMostClosing) return SparseResult::declined;
  for (const Node &n : p.eq.nodes)
    if (n.row_end - n.row_begin > kMostOnEdge) return SparseResult::declined;
  const double h = call.m_stepSize;
  p.forces.remember(parts);
  read_rows(parts, h, p.eq);
  const bool invertible = read_bodies(parts, h, p.eq);
  if (invertible) p.solver.fit(p.eq);
  if (!invertible || !p.run_phases(counts_)) {
    p.forces.restore(parts);
    return invertible ? SparseResult::failed : SparseResult::declined;
  }
  write_feedback(p.eq);
  write_bodies(parts, h, p.eq);
  ++counts_.islands;
  counts_.rows += p.eq.row_count;
  counts_.closing_rows += p.eq.closing.size();
  counts_.solutions = p.solver.solutions;
  counts_.nodes_factored = p.solver.nodes_factored();
  return SparseResult::solved;
}

}  // namespace wb
