/* A step of the driver: blink, drive and brake as commanded (wbu_driver_step). */
#include <math.h>
#include <webots/brake.h>
#include <webots/motor.h>
#include <webots/robot.h>
#include <webots/vehicle/driver.h>

#include "engine.h"
#include "extremes.h"
#include "sounds.h"
#include "vehicle.h"

#define REVERSE (-1)
#define MOST_SHOWN_SPEED 220.0 /* maximum of the gauge, in km/h */
#define MOST_SHOWN_RPM 11000.0 /* maximum of the gauge, in 1/min */

/* Move the needle of a gauge, unless the value is NaN. */
static void show(WbDeviceTag dial, double value, double most) {
  if (dial && !isnan(value))
    wb_motor_set_position(dial, lesser(value, most) * wb_motor_get_max_position(dial) / most);
}

/* Distribute the engine's torque to the wheels. */
static void push(Driver *driver) {
  Car *car = driver->car;
  const int driven = car->parts.driven;
  double torques[WHEELS];
  if (car->differential.limited) differential_update(&car->differential, driven, car->wheels.speeds);
  double torque = engine_torque(&car->parameters, driver->rpm) * driver->throttle;
  torque = limit_torque(torque * gear_ratio(&car->parameters, driver->gear), car->wheels.acceleration);
  differential_torques(&car->differential, driven, torque, driver_ratios(driver), torques);
  for (int wheel = 0; wheel < WHEELS; ++wheel) {
    if (is_driven(driven, wheel)) wb_motor_set_force(car->parts.motors[wheel], torques[wheel]);
  }
}

/* Brake with a torque independent of the speed: the damping is inversely proportional to it. */
static void slow_down(const Driver *driver) {
  const Car *car = driver->car;
  for (int wheel = 0; wheel < WHEELS; ++wheel) {
    const double torque = driver->brake * car->parameters.brake_coefficient;
    const double damping = fabs(torque / car->wheels.speeds[wheel]);
    if (!isnan(damping)) wb_brake_set_damping_constant(car->parts.brakes[wheel], damping);
  }
}

static void sound(const Driver *driver) {
  const Car *car = driver->car;
  if (driver->mode == SPEED) {
    const double lacking = driver->cruising - wbu_driver_get_current_speed();
    sounds_cruise(driver->speaker, &car->parameters, mean_speed(car->wheels.speeds), lacking);
  } else
    sounds_run(driver->speaker, &car->parameters, driver->rpm, driver->throttle);
}

static bool goes_backward(const Driver *driver) {
  if (driver->mode == TORQUE) return driver->gear == REVERSE;
  return driver->mode == SPEED && driver->cruising < 0;
}

int wbu_driver_step(void) {
  Driver *driver = driver_current();
  Car *car = driver->car;
  const double time = wb_robot_get_time();
  indicators_update(&car->indicators, time);
  wipers_update(&driver->wipers, time);
  light_set(&car->backward_lights, goes_backward(driver));
  wheel_speeds_update(&car->wheels, &car->parts, car->period);
  driver->rpm = engine_rpm(&car->parameters, driver->gear, car->wheels.speeds);
  if (driver->speed_dial) show(driver->speed_dial, fabs(wbu_driver_get_current_speed()), MOST_SHOWN_SPEED);
  show(driver->rpm_dial, driver->rpm, MOST_SHOWN_RPM);
  if (driver->mode == TORQUE) push(driver);
  if (driver->brake > 0) slow_down(driver);
  sound(driver);
  return wb_robot_step(car->period);
}
