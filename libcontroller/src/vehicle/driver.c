/* The driver: initialization, cruising speed and steering (wbu_driver_...). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <webots/motor.h>
#include <webots/robot.h>
#include <webots/vehicle/car.h>
#include <webots/vehicle/driver.h>

#include "../generated/messages.h"
#include "sounds.h"
#include "vehicle.h"

#define KMH 3.6        /* km/h per m/s */
#define WHEEL_TURNS 10 /* angle of the steering wheel relative to the steering angle */

Driver *driver_current(void) {
  Driver *driver = robot_current()->driver;
  if (!driver) {
    report_line("Error: there is no driver yet: call wbu_driver_init() first");
    report_stop(1);
  }
  return driver;
}

bool wbu_driver_initialization_is_possible(void) {
  Parameters parameters;
  Texts problems = {0};
  wb_robot_init();
  const bool possible = parameters_read(&parameters, robot_current()->custom_data, &problems);
  if (possible) parameters_end(&parameters);
  texts_free(&problems);
  return possible;
}

void wbu_driver_init(void) {
  Car *car = car_begin();
  Robot *robot = robot_current();
  if (!car || robot->driver) return;
  Driver *driver = robot->driver = allocate(sizeof *driver);
  *driver = (Driver){.car = car,
                     .speaker = sounds_speaker(&car->parameters, robot),
                     .wheel = part_find(robot, &motor_kind, "steering_wheel_motor"),
                     .rpm_dial = part_find(robot, &motor_kind, "rpm_needle_motor"),
                     .speed_dial = part_find(robot, &motor_kind, "speed_needle_motor"),
                     .front_beams = light_find(robot, "front_lights", NULL),
                     .rear_beams = light_find(robot, "rear_lights", NULL),
                     .antifog = light_find(robot, "antifog_lights", NULL),
                     .mode = UNDEFINED_CONTROL_MODE};
  wipers_start(&driver->wipers, robot, car->period);
}

void wbu_driver_cleanup(void) { wb_robot_cleanup(); }

void driver_is_old(const char *function, const char *other) {
  report_warning(function, true, MESSAGE_DEPRECATED, other);
}

Ratios driver_ratios(const Driver *driver) {
  return differential_ratios(&driver->car->parameters, driver->angle, driver->car->angles);
}

/* Speed. */

/* The radius of a wheel in m; 0, with a warning, if the model does not define it. */
static double radius(const Car *car, int wheel, const char *function) {
  const double found = wheel < 2 ? car->parameters.front_wheel_radius : car->parameters.rear_wheel_radius;
  if (found != UNKNOWN) return found;
  report_warning(function, true, MESSAGE_UNKNOWN_RADIUS);
  return 0;
}

/* Set the speed of a driven wheel, in km/h. */
static void roll(const Driver *driver, int wheel, double speed) {
  const WbDeviceTag motor = driver->car->parts.motors[wheel];
  const double length = radius(driver->car, wheel, "wbu_driver_set_cruising_speed");
  if (length == 0) return;
  wb_motor_set_velocity(motor, speed / KMH / length);
  if (driver->mode == TORQUE) wb_motor_set_position(motor, INFINITY);
}

void wbu_driver_set_cruising_speed(double speed) {
  Driver *driver = driver_current();
  const int driven = driver->car->parts.driven;
  double speeds[WHEELS];
  if (!isfinite(speed)) {
    report_error(__func__, MESSAGE_INVALID_SPEED, number_text(speed));
    return;
  }
  differential_speeds(driven, speed, driver_ratios(driver), speeds);
  for (int wheel = 0; wheel < WHEELS; ++wheel) {
    if (is_driven(driven, wheel)) roll(driver, wheel, speeds[wheel]);
  }
  driver->cruising = speed;
  driver->mode = SPEED;
}

double wbu_driver_get_target_cruising_speed(void) { return driver_current()->cruising; }

double wbu_driver_get_current_speed(void) {
  const Car *car = driver_current()->car;
  const double *speeds = car->wheels.speeds, part = car->parts.driven == FOUR_BY_FOUR ? 0.25 : 0.5;
  double speed = 0;
  for (int first = 0; first < WHEELS; first += 2) {
    if (is_driven(car->parts.driven, first))
      speed += part * (speeds[first] + speeds[first + 1]) * radius(car, first, __func__);
  }
  return speed * KMH;
}

WbuDriverControlMode wbu_driver_get_control_mode(void) {
  return (WbuDriverControlMode)driver_current()->mode;
}

/* Steering. */

void wbu_driver_set_steering_angle(double steering_angle) {
  Driver *driver = driver_current();
  const Parameters *parameters = &driver->car->parameters;
  double angles[SIDES];
  if (!isfinite(steering_angle)) {
    report_error(__func__, MESSAGE_INVALID_ANGLE, number_text(steering_angle));
    return;
  }
  if (driver->wheel) wb_motor_set_position(driver->wheel, steering_angle * WHEEL_TURNS);
  driver->angle = steering_angle;
  wheel_angles(steering_angle, parameters->wheelbase, parameters->track_front, angles);
  for (int side = 0; side < SIDES; ++side) car_turn(driver->car, side, angles[side]);
  if (driver->mode == SPEED) wbu_driver_set_cruising_speed(driver->cruising);
  indicators_follow(&driver->car->indicators, steering_angle);
  driver_blink(driver);
}

double wbu_driver_get_steering_angle(void) {
  driver_current();
  return (wbu_car_get_right_steering_angle() + wbu_car_get_left_steering_angle()) / 2;
}
