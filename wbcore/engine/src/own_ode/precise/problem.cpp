// The equations of one island in a step.
#include "problem.h"

#include <cmath>

namespace wb::precise {
namespace {

Six response_of(const Mover &m, const Six &j) {
  Six r;
  for (int i = 0; i < 3; ++i) {
    r[i] = m.inverse_mass * j[i];
    const double *row = &m.inverse_inertia[3 * i];
    r[3 + i] = row[0] * j[3] + row[1] * j[4] + row[2] * j[5];
  }
  return r;
}

}  // namespace

void Problem::clear() {
  movers.clear(), rows.clear(), contacts.clear(), impulses.clear();
  unbounded = of_joints = 0;
  speed = 0;
  bounces = yields = false;
}

void Problem::complete(Row &row) const {
  row.diagonal = row.softness;
  for (int side = 0; side < 2; ++side) {
    if (row.bodies[side] == kWorld) continue;
    row.response[side] = response_of(movers[row.bodies[side]], row.j[side]);
    row.diagonal += product(row.j[side], row.response[side]);
  }
}

std::vector<Six> Problem::velocities() const {
  std::vector<Six> v;
  v.reserve(movers.size());
  for (const Mover &m : movers) v.push_back(m.free);
  for (uint32_t r = 0; r < size(); ++r)
    for (int side = 0; side < 2; ++side) {
      if (rows[r].bodies[side] == kWorld) continue;
      Six &sum = v[rows[r].bodies[side]];
      for (int i = 0; i < 6; ++i) sum[i] += rows[r].response[side][i] * impulses[r];
    }
  return v;
}

double coupling(const Row &a, const Row &b) {
  double sum = 0;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k)
      if (a.bodies[i] == b.bodies[k] && a.bodies[i] != kWorld) sum += product(a.j[i], b.response[k]);
  return sum;
}

double greatest_eigenvalue(double a, double b, double d) {
  const double half = (a - d) / 2;
  return (a + d) / 2 + std::sqrt(half * half + b * b);
}

double rate(const Row &row, const std::vector<Six> &velocities) {
  double sum = 0;
  for (int side = 0; side < 2; ++side)
    if (row.bodies[side] != kWorld) sum += product(row.j[side], velocities[row.bodies[side]]);
  return sum;
}

}  // namespace wb::precise
