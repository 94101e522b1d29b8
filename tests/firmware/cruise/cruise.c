/* Drives the robot of worlds/two_wheels.wbt with all that numbers can do wrong: it keeps sums, divides,
   compares, takes a sine, and samples at two rates. */
#include <math.h>
#include <webots/distance_sensor.h>
#include <webots/led.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

#define SMOOTH 0.3

int main(void) {
  wb_robot_init();
  const int step = (int)wb_robot_get_basic_time_step();
  const WbDeviceTag left = wb_robot_get_device("left wheel motor"),
                    right = wb_robot_get_device("right wheel motor");
  const WbDeviceTag front = wb_robot_get_device("front"), turned = wb_robot_get_device("left wheel sensor");
  const WbDeviceTag status = wb_robot_get_device("status");
  wb_distance_sensor_enable(front, step);
  wb_position_sensor_enable(turned, 4 * step);
  wb_motor_set_position(left, INFINITY);
  wb_motor_set_position(right, INFINITY);
  wb_motor_set_velocity(left, 0);
  wb_motor_set_velocity(right, 0);
  double near = 0;
  int steps = 0;
  while (wb_robot_step(2 * step) != -1) {
    near += SMOOTH * (wb_distance_sensor_get_value(front) - near);
    const double way = steps < 2 ? 0 : wb_position_sensor_get_value(turned);
    wb_led_set(status, ++steps / 10 % 2);
    wb_motor_set_velocity(left, 5 - near / 300 + sin(way / 3) / 4);
    wb_motor_set_velocity(right, 5 - near / 130);
  }
  wb_robot_cleanup();
  return 0;
}
