#include "look.h"

#include <webots/accelerometer.h>
#include <webots/distance_sensor.h>
#include <webots/gyro.h>
#include <webots/led.h>
#include <webots/motor.h>
#include <webots/robot.h>
#include <webots/touch_sensor.h>

#define NEAR 150.0 /* of the front sensor */
#define SWEEP 0.8  /* of the range of the neck */
#define SWEEP_STEPS 70
#define STEEP 3.0 /* m/s^2 */

static WbDeviceTag neck, eye, front, bumper, accelerometer, gyro, status;
static bool blocked;
static double turn;

void look_init(int period) {
  neck = wb_robot_get_device("neck");
  eye = wb_robot_get_device("eye");
  front = wb_robot_get_device("front");
  bumper = wb_robot_get_device("bumper");
  accelerometer = wb_robot_get_device("accelerometer");
  gyro = wb_robot_get_device("gyro");
  status = wb_robot_get_device("status");
  wb_distance_sensor_enable(eye, 2 * period);
  wb_distance_sensor_enable(front, period);
  wb_touch_sensor_enable(bumper, period);
  wb_accelerometer_enable(accelerometer, period);
  wb_gyro_enable(gyro, period);
  wb_motor_set_velocity(neck, 1.5); /* reaches its target before the next one */
}

void look_step(long step) {
  const double *const felt = wb_accelerometer_get_values(accelerometer);
  const double *const turned = wb_gyro_get_values(gyro);
  const bool steep = felt[0] > STEEP || felt[0] < -STEEP;
  const double end =
      step / SWEEP_STEPS % 2 ? wb_motor_get_min_position(neck) : wb_motor_get_max_position(neck);
  if (step % SWEEP_STEPS == 0) wb_motor_set_position(neck, SWEEP * end);
  blocked = wb_distance_sensor_get_value(front) < NEAR || wb_touch_sensor_get_value(bumper) > 0 || steep;
  turn = wb_distance_sensor_get_value(eye) < 400 ? 0.75 : 0.25;
  if (turned[2] > 0.5) turn = 0;
  wb_led_set(status, blocked);
}

bool look_is_blocked(void) { return blocked; }

double look_turn(void) { return turn; }
