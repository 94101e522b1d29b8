/* The car: parameters, wheels, steering and lights (wbu_car_...). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>
#include <webots/vehicle/car.h>

#include "../generated/messages.h"
#include "vehicle.h"

Car *car_current(void) {
  Car *car = robot_current()->car;
  if (!car) {
    report_line("Error: there is no car yet: call wbu_car_init() first");
    report_stop(1);
  }
  return car;
}

static Car *find(const Robot *robot, Texts *problems) {
  Car *car = allocate(sizeof *car);
  if (parameters_read(&car->parameters, robot->custom_data, problems) &&
      parts_find(&car->parts, robot, problems))
    return car;
  parameters_end(&car->parameters);
  free(car);
  return NULL;
}

static void start(Car *car, const Robot *robot) {
  car->period = (int)robot->basic_time_step;
  car->differential.limited = true;
  indicators_start(&car->indicators, robot);
  car->backward_lights = light_find(robot, "backwards_lights", NULL);
  car->brake_lights = light_find(robot, "brake_lights", "brake_ligths");  // misspelled before R2021
  for (int side = 0; side < SIDES; ++side)
    wb_position_sensor_enable(car->parts.steering_sensors[side], car->period);
  for (int wheel = 0; wheel < WHEELS; ++wheel) {
    if (!car->parts.motors[wheel]) continue;
    wb_motor_set_position(car->parts.motors[wheel], INFINITY);
    wb_motor_set_velocity(car->parts.motors[wheel], 0);
  }
}

Car *car_begin(void) {
  Texts problems = {0};
  wb_robot_init();
  Robot *robot = robot_current();
  if (robot->car) return robot->car;
  robot->car = find(robot, &problems);
  if (!robot->car) {
    report_line("Error: %s", problems.items[0]);
    texts_free(&problems);
    report_end(1);
    return NULL;
  }
  start(robot->car, robot);
  return robot->car;
}

void vehicle_end(Robot *robot) {
  if (robot->car) parameters_end(&robot->car->parameters);
  free(robot->car);
  free(robot->driver);
}

void wbu_car_init(void) { car_begin(); }

void wbu_car_cleanup(void) { wb_robot_cleanup(); }

WbuCarType wbu_car_get_type(void) { return (WbuCarType)car_current()->parts.driven; }

WbuCarEngineType wbu_car_get_engine_type(void) { return (WbuCarEngineType)car_current()->parameters.engine; }

double wbu_car_get_wheelbase(void) { return car_current()->parameters.wheelbase; }

double wbu_car_get_track_front(void) { return car_current()->parameters.track_front; }

double wbu_car_get_track_rear(void) { return car_current()->parameters.track_rear; }

double wbu_car_get_front_wheel_radius(void) { return car_current()->parameters.front_wheel_radius; }

double wbu_car_get_rear_wheel_radius(void) { return car_current()->parameters.rear_wheel_radius; }

void wbu_car_set_indicator_period(double period) {
  Car *car = car_current();
  if (0 < period && period < INFINITY)
    car->indicators.period = period;
  else
    report_error(__func__, MESSAGE_INVALID_INDICATOR_PERIOD, number_text(period));
}

double wbu_car_get_indicator_period(void) { return car_current()->indicators.period; }

bool wbu_car_get_backwards_lights(void) { return light_is_on(&car_current()->backward_lights); }

bool wbu_car_get_brake_lights(void) { return light_is_on(&car_current()->brake_lights); }

/* Wheels. */

static bool is_wheel(const char *function, int wheel) {
  if (0 <= wheel && wheel < WHEELS) return true;
  report_error(function, MESSAGE_INVALID_WHEEL, wheel, WHEELS - 1);
  return false;
}

double wbu_car_get_wheel_encoder(WbuCarWheelIndex wheel_index) {
  const Car *car = car_current();
  const int wheel = (int)wheel_index;
  if (!is_wheel(__func__, wheel)) return 0;
  return wb_position_sensor_get_value(wheel_sensor(&car->parts, wheel, car->period));
}

double wbu_car_get_wheel_speed(WbuCarWheelIndex wheel_index) {
  const Car *car = car_current();
  const int wheel = (int)wheel_index;
  return is_wheel(__func__, wheel) ? car->wheels.speeds[wheel] : 0;
}

/* Steering. */

void car_turn(Car *car, int side, double angle) {
  car->angles[side] = angle;
  wb_motor_set_position(car->parts.steering[side], angle);
}

static void steer(const char *function, int side, double angle) {
  Car *car = car_current();
  if (isfinite(angle))
    car_turn(car, side, angle);
  else
    report_error(function, MESSAGE_INVALID_ANGLE, number_text(angle));
}

void wbu_car_set_right_steering_angle(double angle) { steer(__func__, RIGHT_SIDE, angle); }

void wbu_car_set_left_steering_angle(double angle) { steer(__func__, LEFT_SIDE, angle); }

static double measured(int side) {
  return wb_position_sensor_get_value(car_current()->parts.steering_sensors[side]);
}

double wbu_car_get_right_steering_angle(void) { return measured(RIGHT_SIDE); }

double wbu_car_get_left_steering_angle(void) { return measured(LEFT_SIDE); }

void wbu_car_enable_limited_slip_differential(bool enable) { car_current()->differential.limited = enable; }

void wbu_car_enable_indicator_auto_disabling(bool enable) { car_current()->indicators.ends_itself = enable; }
