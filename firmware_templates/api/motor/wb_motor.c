/* RotationalMotor and LinearMotor. Arguments are checked as in the simulation; robot.c and the drivers apply
 * the motor's limits. */
#include "wb_motor.h"

#include <math.h>
#include <webots/motor.h>

#include "channels.h"
#include "devices.h"
#include "messages.h"
#include "rules.h"
#include "text.h"

/* The motor with a tag; NULL if there is none or it is not on the board. */
static const FLASH struct motor *motor(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_MOTOR);
  return index == NO_DEVICE ? 0 : &motor_table[index];
}

/* Sets a channel unless the value is NaN. */
static void set(uint8_t index, double value) {
  if (isnan(value))
    PRINT(MESSAGE_NO_NUMBER "\n");
  else
    channel_set_one(index, value);
}

/* The last value set, or the initial one. */
static double set_or(uint8_t index, double first) {
  const double value = channel_number(index);
  return isnan(value) ? first : value;
}

void wb_motor_set_position(WbDeviceTag tag, double position) {
  const FLASH struct motor *self = motor(tag);
  if (self) set(self->position, position);
}

double wb_motor_get_target_position(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? set_or(self->position, 0) : NAN;
}

void wb_motor_set_velocity(WbDeviceTag tag, double velocity) {
  const FLASH struct motor *self = motor(tag);
  if (!self) return;
  if (IS_VELOCITY_REFUSED(velocity, set_or(self->position, 0)))
    PRINT(MESSAGE_NEGATIVE_VELOCITY "\n");
  else
    set(self->velocity, velocity);
}

double wb_motor_get_velocity(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? set_or(self->velocity, self->max_velocity) : NAN;
}

void wb_motor_set_acceleration(WbDeviceTag tag, double acceleration) {
  const FLASH struct motor *self = motor(tag);
  if (!self) return;
  if (IS_ACCELERATION_REFUSED(acceleration))
    PRINT(MESSAGE_NEGATIVE_ACCELERATION "\n");
  else
    set(self->acceleration, acceleration);
}

double wb_motor_get_acceleration(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? set_or(self->acceleration, self->start_acceleration) : NAN;
}

void wb_motor_set_available_force(WbDeviceTag tag, double force) {
  const FLASH struct motor *self = motor(tag);
  if (!self) return;
  if (force < 0)
    PRINT(MESSAGE_NEGATIVE_FORCE "\n");
  else
    set(self->available_force, force);
}

double wb_motor_get_available_force(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? set_or(self->available_force, self->max_force) : NAN;
}

void wb_motor_set_force(WbDeviceTag tag, double force) {
  const FLASH struct motor *self = motor(tag);
  if (self) set(self->force, force);
}

void wb_motor_set_control_pid(WbDeviceTag tag, double p, double i, double d) {
  const FLASH struct motor *self = motor(tag);
  if (!self) return;
  if (p > 0 && i >= 0 && d >= 0)
    channel_set(self->control_pid, (const double[]){p, i, d});
  else
    PRINT(MESSAGE_INVALID_GAINS "\n");
}

void wb_motor_enable_force_feedback(WbDeviceTag tag, int sampling_period) {
  const FLASH struct motor *self = motor(tag);
  if (self) channel_enable(self->feedback, sampling_period);
}

void wb_motor_disable_force_feedback(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  if (self) channel_enable(self->feedback, 0);
}

int wb_motor_get_force_feedback_sampling_period(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? channel_period(self->feedback) : 0;
}

double wb_motor_get_force_feedback(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? channel_number(self->feedback) : NAN;
}

double wb_motor_get_max_force(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? self->max_force : NAN;
}

double wb_motor_get_max_position(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? self->max_position : NAN;
}

double wb_motor_get_min_position(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? self->min_position : NAN;
}

double wb_motor_get_max_velocity(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? self->max_velocity : NAN;
}

double wb_motor_get_multiplier(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? self->multiplier : NAN;
}

WbDeviceTag wb_motor_get_position_sensor(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? self->sensor : 0;
}

WbDeviceTag wb_motor_get_brake(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? self->brake : 0;
}

WbJointType wb_motor_get_type(WbDeviceTag tag) {
  const FLASH struct motor *self = motor(tag);
  return self ? (WbJointType)self->type : WB_ROTATIONAL;
}

/* Torque functions are synonyms of force functions. */

void wb_motor_set_torque(WbDeviceTag tag, double torque) { wb_motor_set_force(tag, torque); }

void wb_motor_set_available_torque(WbDeviceTag tag, double torque) {
  wb_motor_set_available_force(tag, torque);
}

double wb_motor_get_available_torque(WbDeviceTag tag) { return wb_motor_get_available_force(tag); }

double wb_motor_get_max_torque(WbDeviceTag tag) { return wb_motor_get_max_force(tag); }

void wb_motor_enable_torque_feedback(WbDeviceTag tag, int sampling_period) {
  wb_motor_enable_force_feedback(tag, sampling_period);
}

void wb_motor_disable_torque_feedback(WbDeviceTag tag) { wb_motor_disable_force_feedback(tag); }

int wb_motor_get_torque_feedback_sampling_period(WbDeviceTag tag) {
  return wb_motor_get_force_feedback_sampling_period(tag);
}

double wb_motor_get_torque_feedback(WbDeviceTag tag) { return wb_motor_get_force_feedback(tag); }
