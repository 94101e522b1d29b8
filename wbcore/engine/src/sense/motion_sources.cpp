// Measurements of poses and rates. Source: manual, chapters Gyro, Accelerometer, Compass, InertialUnit, GPS.
#include "motion_sources.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wb {

void AxesResponse::write(const Vec3 &vector, Random &random, double *values) const {
  for (size_t i = 0; i < 3; ++i)
    values[i] = !on[i] ? NAN : response ? (*response)(vector[i], random) : vector[i];
}

Vec3 AngularVelocity::vector(double) {
  const double *w = world_->columns.angular_velocities.row(body_.slot);
  return mount_.to_local({w[0], w[1], w[2]});
}

// A mass on a spring shows (v - v_last) / dt - g: at rest it reads g upward, in free fall 0.
Vec3 Acceleration::vector(double elapsed) {
  const Vec3 velocity = world_->point_velocity(body_.slot, mount_.position());
  const Vec3 before = last, g = world_->settings().gravity;
  last = velocity;
  if (!(elapsed > 0 && std::isfinite(elapsed))) return mount_.to_local(-g);
  return mount_.to_local({(velocity[0] - before[0]) / elapsed - g[0],
                          (velocity[1] - before[1]) / elapsed - g[1],
                          (velocity[2] - before[2]) / elapsed - g[2]});
}

Vec3 Direction::vector(double) { return mount_.to_local(direction_); }

void Orientation::measure(double, double *values) {
  const Quat turn = mount_.orientation();
  Quat q = frame_ ? *frame_ * turn : turn;
  if (accuracy_.noise > 0) q = q * error();
  const auto &off = accuracy_.off;
  if (off[0] || off[1] || off[2]) q = without_axes(q);
  const double found[] = {q[1], q[2], q[3], q[0]};
  for (size_t i = 0; i < 4; ++i) values[i] = rounded(found[i], accuracy_.resolution);
}

// A random rotation about each axis.
Quat Orientation::error() const {
  Quat error = kUnitQuat;
  for (const Vec3 &axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
    error = error * to_quat(axis, accuracy_.noise * M_PI * world_->random.gaussian());
  return error;
}

Quat Orientation::without_axes(const Quat &turn) const {
  auto [axis, angle] = to_axis_angle(turn);
  for (size_t i = 0; i < 3; ++i)
    if (accuracy_.off[i]) axis[i] = 0;
  const double size = norm(axis);
  return size > 0 ? to_quat(axis * (1 / size), angle) : kUnitQuat;
}

Vec3 Position::velocity(const Vec3 &at, double elapsed) {
  if (body_) return world_->point_velocity(body_->slot, at);
  const std::optional<Vec3> before = std::exchange(last, at);
  if (!before || !(elapsed > 0 && std::isfinite(elapsed))) return {NAN, NAN, NAN};
  return {(at[0] - (*before)[0]) / elapsed, (at[1] - (*before)[1]) / elapsed,
          (at[2] - (*before)[2]) / elapsed};
}

void Position::measure(double elapsed, double *values) {
  World &world = *world_;
  const Vec3 at = mount_.position(), velocity = this->velocity(at, elapsed);
  double speed = norm(velocity);
  Vec3 place = at + reference_;
  if (noise_.drift) {
    noise_.drift->advance(correlation(noise_.correlation, elapsed), world.random);
    for (size_t i = 0; i < 3; ++i) place[i] += noise_.deviation * noise_.drift->values[i];
  }
  if (accuracy_.speed_noise > 0) speed *= 1 + accuracy_.speed_noise * world.random.gaussian();
  for (size_t i = 0; i < 3; ++i) values[i] = rounded(place[i], accuracy_.resolution);
  values[3] = rounded(speed, accuracy_.speed_resolution);
  std::copy(velocity.begin(), velocity.end(), values + 4);
}

}  // namespace wb
