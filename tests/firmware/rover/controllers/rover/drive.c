#include "drive.h"

#include <math.h>
#include <webots/led.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

#define CRUISE 2.0 /* rad/s */
#define BACK_STEPS 40

static WbDeviceTag motors[2], encoders[2], glow;
static int backing; /* steps that are left */

void drive_init(int period) {
  static const char *const motor_names[] = {"left motor", "right motor"};
  static const char *const encoder_names[] = {"left encoder", "right encoder"};
  for (int k = 0; k < 2; k++) {
    motors[k] = wb_robot_get_device(motor_names[k]);
    encoders[k] = wb_robot_get_device(encoder_names[k]);
    wb_position_sensor_enable(encoders[k], period);
    wb_motor_set_position(motors[k], INFINITY);
    wb_motor_set_velocity(motors[k], 0);
  }
  glow = wb_robot_get_device("glow");
}

void drive_step(long step, bool blocked, double turn) {
  if (blocked && backing == 0) backing = BACK_STEPS;
  double left = CRUISE - turn, right = CRUISE + turn;
  if (backing > 0) {
    backing--;
    left = -CRUISE;
    right = -CRUISE / 2;
  }
  wb_motor_set_velocity(motors[0], left);
  wb_motor_set_velocity(motors[1], right);
  if (step % 8 == 0) {
    const double way = wb_position_sensor_get_value(encoders[0]) + wb_position_sensor_get_value(encoders[1]);
    const int level = (int)(fabs(way) * 20);
    wb_led_set(glow, level > 255 ? 255 : level);
  }
}
