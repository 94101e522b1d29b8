// The rows of a contact under the law "precise".
#include "contact_rows.h"

#include <algorithm>
#include <cmath>

#include "../../expected.h"
#include "relaxation.h"

namespace wb::precise {
namespace {

// Depth (m) at which bodies rest: a contact at rest is found again in each step.
constexpr double kRestingDepth = 1e-5;
// Share of a greater depth that a step corrects, and the greatest velocity of the correction (m/s).
constexpr double kCorrection = 0.2, kFastestCorrection = 1;
// Softness of the rows, as a share of their diagonals: it makes impulses unique where more contacts bear a
// body than it needs.
constexpr double kSoftness = 1e-8;
// Stands for an infinite coefficient of friction.
constexpr double kStuck = 1e3;

double coefficient(double value) { return std::clamp(value, 0.0, kStuck); }

// A contact point, its arms and directions.
struct Frame {
  Vec3 normal, first, second;
  std::array<Vec3, 2> arms;      // from the expected centers of mass
  std::array<Vec3, 2> expected;  // velocities of the centers
  std::array<Vec3, 2> spins;
};

Frame frame_of(const Touch &t) {
  Frame f;
  f.normal = t.normal;
  const dContact &c = *t.contact;
  const bool directed = c.surface.mode & dContactFDir1;
  f.first = directed ? Vec3{c.fdir1[0], c.fdir1[1], c.fdir1[2]} : any_perpendicular(f.normal);
  f.second = cross(f.normal, f.first);
  for (int side = 0; side < 2; ++side) {
    const dBodyID b = t.bodies[side];
    if (!b) continue;
    const dReal *x = dBodyGetPosition(b), *w = dBodyGetAngularVel(b);
    f.expected[side] = expected_velocity(b, t.dt);
    f.spins[side] = {w[0], w[1], w[2]};
    f.arms[side] = Vec3{c.geom.pos[0], c.geom.pos[1], c.geom.pos[2]} -
                   (Vec3{x[0], x[1], x[2]} + f.expected[side] * t.dt);
  }
  return f;
}

Six linear_row(const Vec3 &direction, const Vec3 &arm, double sign) {
  const Vec3 turn = cross(arm, direction);
  return {sign * direction[0], sign * direction[1], sign * direction[2],
          sign * turn[0],      sign * turn[1],      sign * turn[2]};
}

Six angular_row(const Vec3 &axis, double sign) {
  return {0, 0, 0, sign * axis[0], sign * axis[1], sign * axis[2]};
}

Row row_along(const Touch &t, const Frame &f, const Vec3 &direction) {
  Row row;
  row.bodies = t.movers;
  for (int side = 0; side < 2; ++side)
    if (t.bodies[side]) row.j[side] = linear_row(direction, f.arms[side], side == 0 ? 1 : -1);
  return row;
}

Row row_about(const Touch &t, const Vec3 &axis) {
  Row row;
  row.bodies = t.movers;
  for (int side = 0; side < 2; ++side)
    if (t.bodies[side]) row.j[side] = angular_row(axis, side == 0 ? 1 : -1);
  return row;
}

void add_row(Row row, Problem &problem) {
  problem.complete(row);
  // a row without effect gets some diagonal, which lets it have no impulse
  const double softness = row.diagonal > 0 ? kSoftness * row.diagonal : 1;
  row.softness += softness, row.diagonal += softness;
  problem.rows.push_back(row);
  problem.impulses.push_back(0);
}

// Scales a row by its coefficient of friction, so that the limit of its impulse is the normal impulse.
// `former` is the impulse to begin with.
void add_friction(Row row, double mu, double motion, double slip, double former, double dt,
                  Problem &problem) {
  for (Six &j : row.j)
    for (double &value : j) value *= mu;
  row.target = mu * motion;
  row.softness = mu * mu * slip / dt;
  add_row(row, problem);
  if (mu > 0) problem.impulses.back() = former / mu;
}

// The velocity at which the normal row ends the step at the resting depth.
double gap_target(const Touch &t, const Frame &f) {
  double expected = 0;
  for (int side = 0; side < 2; ++side)
    if (t.bodies[side]) {
      const Vec3 v = f.expected[side] + cross(f.spins[side], f.arms[side]);
      expected += (side == 0 ? 1 : -1) * dot(f.normal, v);
    }
  const double exact = expected + (t.contact->geom.depth - kRestingDepth) / t.dt;
  return exact <= 0 ? exact : std::min(kCorrection * exact, kFastestCorrection);
}

// Newton's law: the velocity after an impact is that before, reversed and multiplied by the restitution.
double bounce_target(const Touch &t, const Row &row, const Problem &problem) {
  const dSurfaceParameters &s = t.contact->surface;
  if (!(s.mode & dContactBounce)) return 0;
  double before = 0;
  for (int side = 0; side < 2; ++side)
    if (t.movers[side] != kWorld) before += product(row.j[side], problem.movers[t.movers[side]].before);
  return -before > s.bounce_vel ? -s.bounce * before : 0;
}

void add_sliding(const Touch &t, const Frame &f, Contact &contact, Problem &problem) {
  const dSurfaceParameters &s = t.contact->surface;
  const double mu = coefficient(s.mu), mu2 = s.mode & dContactMu2 ? coefficient(s.mu2) : mu;
  if (mu == 0 && mu2 == 0) return;
  contact.discs[contact.disc_count++] = {problem.size(), 2};
  const auto if_set = [&s](int bit, double value) { return s.mode & bit ? value : 0; };
  add_friction(row_along(t, f, f.first), mu, if_set(dContactMotion1, s.motion1),
               if_set(dContactSlip1, s.slip1), dot(t.former, f.first), t.dt, problem);
  add_friction(row_along(t, f, f.second), mu2, if_set(dContactMotion2, s.motion2),
               if_set(dContactSlip2, s.slip2), dot(t.former, f.second), t.dt, problem);
  double *sliding = &problem.impulses[contact.discs[0].first];
  const double factor = within(problem.impulses[contact.normal], sliding, 2);
  sliding[0] *= factor, sliding[1] *= factor;
}

void add_turning(const Touch &t, const Frame &f, Contact &contact, Problem &problem) {
  const dSurfaceParameters &s = t.contact->surface;
  if (!(s.mode & dContactRolling)) return;
  const bool by_axis = s.mode & dContactAxisDep;
  const double rho = coefficient(s.rho), rho2 = by_axis ? coefficient(s.rho2) : rho,
               spinning = by_axis ? coefficient(s.rhoN) : rho;
  contact.discs[contact.disc_count++] = {problem.size(), 2};
  add_friction(row_about(t, f.first), rho, 0, 0, 0, t.dt, problem);
  add_friction(row_about(t, f.second), rho2, 0, 0, 0, t.dt, problem);
  contact.discs[contact.disc_count++] = {problem.size(), 1};
  add_friction(row_about(t, f.normal), spinning, 0, 0, 0, t.dt, problem);
}

}  // namespace

void add_contact(const Touch &t, Problem &problem) {
  const Frame f = frame_of(t);
  Contact contact{problem.size(), 0, {}, gap_target(t, f)};
  Row normal = row_along(t, f, f.normal);
  const double bounce = bounce_target(t, normal, problem);
  problem.bounces |= bounce > contact.gap_target && bounce > 0;
  normal.target = bounce > 0 ? std::max(bounce, contact.gap_target) : contact.gap_target;
  normal.high = HUGE_VAL;
  add_row(normal, problem);
  problem.impulses.back() = std::max(dot(t.former, f.normal), 0.0);
  add_sliding(t, f, contact, problem);
  add_turning(t, f, contact, problem);
  problem.contacts.push_back(contact);
}

}  // namespace wb::precise
