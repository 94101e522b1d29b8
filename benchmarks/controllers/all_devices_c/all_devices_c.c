/* Reads all sensors and sets all motors in each step, to positions around a target: all_devices.py in C. */
#include <stdlib.h>
#include <webots/device.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

#define MOST 64 /* devices of each kind */

int main(int count, char **arguments) {
  const double target = count > 1 ? atof(arguments[1]) : 0;
  WbDeviceTag motors[MOST], sensors[MOST];
  int motor_count = 0, sensor_count = 0;
  wb_robot_init();
  const int step = (int)wb_robot_get_basic_time_step();
  for (int i = 0; i < wb_robot_get_number_of_devices(); ++i) {
    const WbDeviceTag one = wb_robot_get_device_by_index(i);
    if (wb_device_get_node_type(one) != WB_NODE_POSITION_SENSOR) {
      if (motor_count < MOST) motors[motor_count++] = one;
    } else if (sensor_count < MOST) {
      wb_position_sensor_enable(one, step);
      sensors[sensor_count++] = one;
    }
  }
  double offset = 0.01;
  volatile double total = 0;
  while (wb_robot_step(step) != -1) {
    offset = -offset;
    for (int i = 0; i < sensor_count; ++i) total += wb_position_sensor_get_value(sensors[i]);
    for (int i = 0; i < motor_count; ++i) wb_motor_set_position(motors[i], target + offset);
  }
  wb_robot_cleanup();
  return 0;
}
