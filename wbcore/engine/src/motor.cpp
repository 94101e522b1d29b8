// A motor's control law: from targets to the velocity and the force of a joint (manual, chapter Motor).
#include "motor.h"

#include <algorithm>
#include <cmath>

#include "errors.h"

namespace wb {
namespace {

// A motor without physics stops at position errors below this.
constexpr double kArrived = 1e-6;
// Position errors are clamped to this value so that the PID terms stay finite for targets such as DBL_MAX.
constexpr double kMostError = 1e100;

bool cut(double value, double low, double high, double &result) {
  result = std::clamp(value, low, high);
  return result != value;
}

}  // namespace

bool Motor::set_position(double value) {
  require(!std::isnan(value), "position", "a number or infinity", value);
  force_mode = 0;
  if (std::isinf(value)) {
    target_position = value;
    return false;
  }
  target_position = value * multiplier;
  if (min_position == max_position) return false;
  return cut(target_position, min_position, max_position, target_position);
}

bool Motor::set_velocity(double value) {
  require_finite("velocity", value);
  return cut(value * multiplier, -max_velocity, max_velocity, target_velocity);
}

bool Motor::set_available_force(double value) {
  require_not_negative("available force", value);
  return cut(value, 0, max_force, available_force);
}

bool Motor::set_force(double value) {
  require_finite("force", value);
  if (force_mode == 0) current_velocity = 0;
  force_mode = 1;
  wanted_force = value * multiplier;
  return std::fabs(wanted_force) > available_force;
}

void Motor::set_acceleration(double value) {
  require(value == -1 || value >= 0, "acceleration", "-1 or not negative", value);
  acceleration = value;
}

void Motor::set_pid(double new_p, double new_i, double new_d) {
  require_not_negative("P", new_p);
  require_not_negative("I", new_i);
  require_not_negative("D", new_d);
  p = new_p, i = new_i, d = new_d;
  integral = previous_error = 0;
}

void Motor::reset(double position) {
  target_position = position;
  target_velocity = max_velocity;
  available_force = max_force;
  wanted_force = force_mode = 0;
  current_velocity = integral = previous_error = feedback = 0;
}

void Motor::approach(double wanted, double limit, double dt) {
  const double change = wanted - current_velocity;
  if (limit != -1 && std::fabs(change) > limit * dt)
    current_velocity += std::copysign(limit * dt, change);
  else
    current_velocity = wanted;
}

double Motor::velocity_for(double position, double dt) {
  if (force_mode != 0) return current_velocity = 0;
  if (available_force == 0) return current_velocity = 0;
  if (std::isinf(target_position)) {
    approach(target_velocity, acceleration, dt);
    return current_velocity;
  }
  const double error = std::clamp(target_position - position, -kMostError, kMostError);
  // PID control of the position (manual, Motor: controlPID) yields the target velocity; the velocity limit
  // and then the acceleration limit apply to it.
  integral += error * dt;
  double output = p * error + i * integral;
  if (d != 0) output += d * (error - previous_error) / dt;
  previous_error = error;
  const double limit = std::fabs(target_velocity);
  approach(std::clamp(output, -limit, limit), acceleration, dt);
  return current_velocity;
}

double Motor::applied_force() const {
  return force_mode != 0 ? std::clamp(wanted_force, -available_force, available_force) : 0;
}

double Motor::move(double position, double dt) {
  // The available force replaces the acceleration if that is unlimited or larger.
  const double limit = acceleration == -1 || acceleration > available_force ? available_force : acceleration;
  if (std::isinf(target_position)) {
    const bool limited = min_position != max_position;
    const bool stands = limited && ((position >= max_position && target_velocity >= 0) ||
                                    (position <= min_position && target_velocity <= 0));
    if (stands) {
      current_velocity = 0;
      return position;
    }
    approach(target_velocity, limit, dt);
    return position + current_velocity * dt;
  }
  const double error = target_position - position;
  if (std::fabs(error) < kArrived) {
    current_velocity = 0;
    return position;
  }
  // Only the magnitude of the velocity is accelerated: its direction changes to that of the target at once.
  current_velocity = std::fabs(current_velocity);
  approach(std::fabs(target_velocity), limit, dt);
  const double way = current_velocity * dt;
  current_velocity = std::copysign(current_velocity, error);
  return way < std::fabs(error) ? position + std::copysign(way, error) : target_position;
}

}  // namespace wb
