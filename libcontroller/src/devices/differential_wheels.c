/* The functions of DifferentialWheels, a node of Webots 8, implemented with motors and position sensors.

   Speeds are in units of the field `speedUnit`, which is the multiplier of the motors. Encoder values are in
   increments; the field `model` of the sensors contains their number per rad. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <webots/differential_wheels.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>

#include "../generated/messages.h"
#include "../robot.h"
#include "motor.h"

#define UNIT " increments/rad"
enum { LEFT, RIGHT };

extern const Kind position_sensor_kind;

static const char *const MOTORS[] = {"left wheel motor", "right wheel motor"};
static const char *const SENSORS[] = {"left wheel sensor", "right wheel sensor"};

static WbDeviceTag find(const Robot *robot, const char *name, const Kind *kind) {
  for (int tag = 1; tag < robot->device_count; ++tag) {
    const Device *device = robot->devices[tag];
    if (device && !strcmp(device->name, name)) return device->kind == kind ? (WbDeviceTag)tag : 0;
  }
  return 0;
}

/* False, with an error message, for other robot types. */
static bool has_wheels(const char *function) {
  const Robot *robot = robot_current();
  for (int side = LEFT; side <= RIGHT; ++side) {
    if (find(robot, MOTORS[side], &motor_kind) && find(robot, SENSORS[side], &position_sensor_kind)) continue;
    report_error(function, MESSAGE_NO_WHEELS);
    return false;
  }
  return true;
}

static WbDeviceTag motor(int side) { return find(robot_current(), MOTORS[side], &motor_kind); }

static WbDeviceTag sensor(int side) { return find(robot_current(), SENSORS[side], &position_sensor_kind); }

void wb_differential_wheels_set_speed(double left, double right) {
  const double speeds[] = {left, right};
  if (!has_wheels(__func__)) return;
  if (isnan(left) || isnan(right)) {
    report_error(__func__, MESSAGE_SPEED_NOT_A_NUMBER, number_text(left), number_text(right));
    return;
  }
  const double limit = wb_motor_get_max_velocity(motor(LEFT)), unit = wb_motor_get_multiplier(motor(LEFT));
  if (fmax(fabs(left), fabs(right)) * unit > limit)
    report_warning(__func__, true, MESSAGE_SPEED_ABOVE_LIMIT, limit);
  for (int side = LEFT; side <= RIGHT; ++side) {
    if (wb_motor_get_target_position(motor(side)) != INFINITY) wb_motor_set_position(motor(side), INFINITY);
    wb_motor_set_velocity(motor(side), speeds[side]);
    robot_current()->wheel_speeds[side] = speeds[side];
  }
}

double wb_differential_wheels_get_left_speed(void) {
  return has_wheels(__func__) ? robot_current()->wheel_speeds[LEFT] : NAN;
}

double wb_differential_wheels_get_right_speed(void) {
  return has_wheels(__func__) ? robot_current()->wheel_speeds[RIGHT] : NAN;
}

double wb_differential_wheels_get_max_speed(void) {
  return has_wheels(__func__) ? wb_motor_get_max_velocity(motor(LEFT)) : NAN;
}

double wb_differential_wheels_get_speed_unit(void) {
  return has_wheels(__func__) ? wb_motor_get_multiplier(motor(LEFT)) : NAN;
}

/* Encoders. */

/* The resolution in increments per rad, or 0 without encoders. */
static double resolution(int side) {
  const char *model = robot_current()->devices[sensor(side)]->model;
  char *end;
  const double found = strtod(model, &end);
  return end > model && !strcmp(end, UNIT) && isfinite(found) && found > 0 ? found : 0;
}

void wb_differential_wheels_enable_encoders(int ms) {
  if (!has_wheels(__func__)) return;
  if (ms > 0 && !resolution(LEFT)) report_warning(__func__, true, MESSAGE_ENCODERS_NOT_SIMULATED);
  for (int side = LEFT; side <= RIGHT; ++side) REPORT_AS_OWN(wb_position_sensor_enable(sensor(side), ms));
}

void wb_differential_wheels_disable_encoders(void) {
  if (has_wheels(__func__)) wb_differential_wheels_enable_encoders(0);
}

int wb_differential_wheels_get_encoders_sampling_period(WbDeviceTag tag) {
  (void)tag; /* ignored; the manual lists this parameter */
  return has_wheels(__func__) ? wb_position_sensor_get_sampling_period(sensor(LEFT)) : 0;
}

static double encoder(int side) {
  const double offset = robot_current()->wheel_offsets[side], per_rad = resolution(side);
  const double value = wb_position_sensor_get_value(sensor(side));
  if (!wb_position_sensor_get_sampling_period(sensor(side))) return NAN;
  return per_rad ? value * per_rad + offset : offset;
}

double wb_differential_wheels_get_left_encoder(void) {
  double value = NAN;
  if (has_wheels(__func__)) REPORT_AS_OWN(value = encoder(LEFT));
  return value;
}

double wb_differential_wheels_get_right_encoder(void) {
  double value = NAN;
  if (has_wheels(__func__)) REPORT_AS_OWN(value = encoder(RIGHT));
  return value;
}

void wb_differential_wheels_set_encoders(double left, double right) {
  const double values[] = {left, right};
  for (int side = LEFT; has_wheels(__func__) && side <= RIGHT; ++side) {
    const Robot *robot = robot_current();
    const double now = position_sensor_value(robot->devices[sensor(side)]);
    robot_current()->wheel_offsets[side] = values[side] - (isnan(now) ? 0 : now) * resolution(side);
  }
}
