/* A motor, which drives a joint with a target position, velocity, or force (torque if rotational). */
#include "motor.h"

#include <math.h>
#include <stdlib.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>

#include "../generated/messages.h"
#include "../generated/rules.h"
#include "../robot.h"

#define FIRST_LIMIT 10.0
#define UNLIMITED (-1.0)

static void start(Device *device) {
  Motor *self = (Motor *)device;
  self->max_velocity = self->max_force = self->velocity = self->available_force = FIRST_LIMIT;
  self->acceleration = UNLIMITED;
  self->multiplier = 1;
  self->force_feedback = NAN;
}

static void take_couplings(Motor *self, Reader *in) {
  self->coupling_count = read_count(in, 2);
  self->couplings = reallocate(self->couplings, sizeof *self->couplings * (size_t)self->coupling_count);
  for (int i = 0; i < self->coupling_count; ++i) self->couplings[i] = read_u16(in);
}

static void take_constants(Motor *self, Reader *in) {
  double gains[3];
  const bool followed = !self->configured || self->available_force == self->max_force;
  self->joint.type = read_i32(in);
  self->min_position = read_f64(in);
  self->max_position = read_f64(in);
  self->max_velocity = read_f64(in);
  self->acceleration = read_f64(in);
  self->max_force = read_f64(in);
  read_f64s(in, gains, 3);
  self->target_position = read_f64(in);
  self->velocity = read_f64(in);
  self->multiplier = read_f64(in);
  take_couplings(self, in);
  self->available_force = followed ? self->max_force : fmin(self->available_force, self->max_force);
  self->configured = true;
}

static void take_feedback(Motor *self, Reader *in) { self->force_feedback = read_f64(in); }

static void end(Device *device) { free(((Motor *)device)->couplings); }

static Motor *coupled(const Motor *self, int index) {
  const Robot *robot = self->joint.base.robot;
  const unsigned tag = self->couplings[index];
  Device *device = tag < (unsigned)robot->device_count ? robot->devices[tag] : NULL;
  return device && device->kind == &motor_kind ? (Motor *)device : NULL;
}

static void command(Motor *self, int code, double value) {
  Device *device = &self->joint.base;
  if (code == MOTOR_SET_POSITION || code == MOTOR_SET_FORCE) { /* each replaces the other */
    device->lasting &= ~(1u << MOTOR_SET_POSITION | 1u << MOTOR_SET_FORCE);
    device->lasting |= 1u << code;
  }
  device_command_number(device, code, value);
}

void motor_move(Motor *self, double position) {
  self->target_position = position;
  command(self, MOTOR_SET_POSITION, position);
  for (int i = 0; i < self->coupling_count; ++i) {
    Motor *one = coupled(self, i);
    if (one) one->target_position = isinf(position) ? position : position * one->multiplier;
  }
}

void wb_motor_set_position(WbDeviceTag tag, double position) {
  Motor *self = device_find(tag, &motor_kind, __func__);
  if (self && !is_nan(__func__, "position", position)) motor_move(self, position);
}

void wb_motor_set_velocity(WbDeviceTag tag, double velocity) {
  Motor *self = device_find(tag, &motor_kind, __func__);
  if (!self || is_nan(__func__, "velocity", velocity)) return;
  if (IS_VELOCITY_REFUSED(velocity, self->target_position)) {
    report_error(__func__, MESSAGE_NEGATIVE_VELOCITY, number_text(velocity));
    return;
  }
  self->velocity = velocity;
  command(self, MOTOR_SET_VELOCITY, velocity);
  for (int i = 0; i < self->coupling_count; ++i) {
    Motor *one = coupled(self, i);
    if (one) one->velocity = velocity * one->multiplier;
  }
}

void wb_motor_set_acceleration(WbDeviceTag tag, double acceleration) {
  Motor *self = device_find(tag, &motor_kind, __func__);
  if (!self || is_nan(__func__, "acceleration", acceleration)) return;
  if (IS_ACCELERATION_REFUSED(acceleration)) {
    report_error(__func__, MESSAGE_NEGATIVE_ACCELERATION);
    return;
  }
  self->acceleration = acceleration;
  command(self, MOTOR_SET_ACCELERATION, acceleration);
}

/* Forces and torques, which are the same to a motor; `name` is the argument's. */

static void set_available(WbDeviceTag tag, const char *name, double force, const char *function) {
  Motor *self = device_find(tag, &motor_kind, function);
  if (!self || is_nan(function, name, force)) return;
  if (force < 0) {
    report_error(function, MESSAGE_NEGATIVE_FORCE, name);
    return;
  }
  self->available_force = force;
  command(self, MOTOR_SET_AVAILABLE_FORCE, force);
}

static void drive(WbDeviceTag tag, const char *name, double force, const char *function) {
  Motor *self = device_find(tag, &motor_kind, function);
  if (self && !is_nan(function, name, force)) command(self, MOTOR_SET_FORCE, force);
}

void wb_motor_set_available_force(WbDeviceTag tag, double force) {
  set_available(tag, "force", force, __func__);
}

void wb_motor_set_available_torque(WbDeviceTag tag, double torque) {
  set_available(tag, "torque", torque, __func__);
}

void wb_motor_set_force(WbDeviceTag tag, double force) { drive(tag, "force", force, __func__); }

void wb_motor_set_torque(WbDeviceTag tag, double torque) { drive(tag, "torque", torque, __func__); }

void wb_motor_set_control_pid(WbDeviceTag tag, double p, double i, double d) {
  Motor *self = device_find(tag, &motor_kind, __func__);
  if (!self) return;
  static const char *const NAMES[] = {"p", "i", "d"};
  const bool wrong[] = {!(p > 0), !(i >= 0), !(d >= 0)};
  const double gains[] = {p, i, d};
  for (int k = 0; k < 3; ++k) {
    if (wrong[k]) {
      report_error(__func__, MESSAGE_INVALID_ARGUMENT, NAMES[k], number_text(gains[k]));
      return;
    }
  }
  put_f64s(device_command(&self->joint.base, MOTOR_SET_CONTROL_PID), gains, 3);
}

/* Feedback. */

void wb_motor_enable_force_feedback(WbDeviceTag tag, int sampling_period) {
  Motor *self = device_find(tag, &motor_kind, __func__);
  if (!self || is_bad_period(__func__, sampling_period)) return;
  self->joint.base.period = sampling_period;
  put_u16(device_command(&self->joint.base, MOTOR_ENABLE_FEEDBACK), (unsigned)sampling_period);
}

void wb_motor_disable_force_feedback(WbDeviceTag tag) {
  if (device_find(tag, &motor_kind, __func__)) wb_motor_enable_force_feedback(tag, 0);
}

double motor_feedback(WbDeviceTag tag, const char *enable, const char *function) {
  const Motor *self = device_find(tag, &motor_kind, function);
  if (!self) return NAN;
  device_check_on(&self->joint.base, self->joint.base.period > 0, enable, function);
  return self->force_feedback;
}

double wb_motor_get_force_feedback(WbDeviceTag tag) {
  return motor_feedback(tag, "enable_force_feedback", __func__);
}

double wb_motor_get_torque_feedback(WbDeviceTag tag) {
  return motor_feedback(tag, "enable_torque_feedback", __func__);
}

#include "../generated/motor.h"
