// The rows of ODE's joints, as they describe them for its own solvers.
#include <algorithm>

#include "joints/joint.h"
#include "read_island.h"

namespace wb::solve {
namespace {

// Softer rows to the world enter the matrix of their body as a spring, without a pivot of their own. The
// force of a spring is as exact as the acceleration, divided by the softness: that of stiffer ones would
// bound friction too roughly.
constexpr double kSpring = 1e-5;

constexpr int kRowsOfJoint = 6;
static_assert(sizeof(dxJoint::lambda) >= kRowsOfJoint * sizeof(double));

// ODE's exact solver leaves the field unused, and sets it to 0 in a new joint: places are `free` then.
int8_t *memory_of(dxJoint *joint, int row) { return reinterpret_cast<int8_t *>(&joint->lambda[row]); }

void clear(Row &row, double cfm) {
  std::fill_n(row.child, 6, 0.0);
  std::fill_n(row.parent, 8, 0.0);
  row.rhs = 0, row.cfm = cfm, row.low = -dInfinity, row.high = dInfinity;
}

void describe(const IslandParts &parts, double fps, const JointRows &j, bool swapped, Row *row, int *findex) {
  std::fill_n(findex, kRowsOfJoint, -1);
  for (int i = 0; i < j.count; ++i) clear(row[i], parts.world->global_cfm);
  double *first = swapped ? row->parent : row->child, *second = swapped ? row->child : row->parent;
  j.joint->getInfo2(fps, parts.world->global_erp, kRowNumbers, first, second, kRowNumbers, &row->rhs,
                    &row->low, findex);
}

bool has_bounds(const Row &row) {
  return row.normal != kNothing || row.low > -dInfinity || row.high < dInfinity;
}

// A friction row waits for its bounds; others begin where they were at the end of the step before.
void begin(Row &row) {
  if (row.normal != kNothing) {
    row.place = Place::out;
    return;
  }
  row.fixed = row.low == row.high;
  row.place = row.fixed ? Place::low : remembered(row, row.memory[0]);
  if (row.place != Place::free) row.x = row.place == Place::low ? row.low : row.high;
}

// Linear and angular, six numbers.
void put_velocity(const dxBody *body, double *velocity) {
  copy_three(body->lvel, velocity);
  copy_three(body->avel, velocity + 3);
}

// Returns the softness of the hardest row.
double read_joint(const IslandParts &parts, double fps, const JointRows &j, Equations &eq) {
  Row *rows = &eq.rows[j.first_row];
  const bool closing = j.child == kNothing;
  const int32_t node = closing ? j.body0 : j.child, other = closing || j.child == j.body0 ? j.body1 : j.body0;
  const bool swapped = node != j.body0;
  int findex[kRowsOfJoint];
  describe(parts, fps, j, swapped, rows, findex);
  Node &n = eq.nodes[node];
  double velocity[6], partner_velocity[6];
  put_velocity(n.body, velocity);
  const dxBody *partner = j.joint->node[swapped ? 0 : 1].body;
  if (partner) put_velocity(partner, partner_velocity);
  double softness = dInfinity;
  const bool may_be_spring = other == kNothing && j.contact;
  for (int i = 0; i < j.count; ++i) {
    Row &r = rows[i];
    r.node = node, r.other = other, r.closing = closing;
    r.normal = findex[i] >= 0 ? j.first_row + findex[i] : kNothing;
    double speed = along(r.child, velocity);
    if (partner) speed += along(r.parent, partner_velocity);
    r.rhs = r.rhs * fps - fps * speed;
    r.cfm *= fps;
    softness = std::min(softness, r.cfm);
    r.eliminated = !(may_be_spring && r.cfm > kSpring);
    if (!r.eliminated) {
      r.stiffness = 1 / r.cfm;
      eq.springs.push_back(j.first_row + i);
    } else if (!closing) {
      ++n.eliminated_rows;
    }
    r.x = 0, r.fixed = false, r.place = Place::free;
    if (!has_bounds(r)) continue;
    r.memory = memory_of(j.joint, i);
    begin(r);
    if (r.normal != kNothing) eq.friction.push_back(j.first_row + i);
    eq.bounded.push_back(j.first_row + i);
  }
  return softness;
}

// Rows without softness can have several solutions. Which is found must not depend on the step before, whose
// places are not part of a state.
void forget_places(Equations &eq) {
  for (int32_t r : eq.bounded) {
    Row &row = eq.rows[r];
    row.memory[0] = row.memory[1] = static_cast<int8_t>(Place::free);
    row.x = 0;
    begin(row);
  }
}

}  // namespace

void read_rows(const IslandParts &parts, double h, Equations &eq) {
  eq.row_count = 0;
  for (const JointRows &j : eq.joints) eq.row_count += static_cast<size_t>(j.count);
  if (eq.rows.size() < eq.row_count) eq.rows.resize(eq.row_count);
  eq.bounded.clear();
  eq.friction.clear();
  eq.springs.clear();
  constexpr double kUnique = 1e-9;
  double softness = kUnique;
  for (const JointRows &j : eq.joints) softness = std::min(softness, read_joint(parts, 1 / h, j, eq));
  if (softness < kUnique) forget_places(eq);
}

}  // namespace wb::solve
