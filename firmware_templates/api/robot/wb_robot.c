/* Robot: steps, time, devices by name, battery. */
#include "wb_robot.h"

#include <stddef.h>
#include <webots/robot.h>

#include "channels.h"
#include "devices.h"
#include "flavor.h"
#include "messages.h"
#include "text.h"

int wb_robot_init(void) { return 1; }

int wb_robot_init_msvc(void) { return 1; }

void wb_robot_cleanup(void) { /* the robot stops when main() returns */ }

int wb_robot_step(int duration) {
  if (IS_TIME(duration)) return flavor_step((uint16_t)duration);
  PRINT("wbridge: invalid step duration; allowed: 0 to 65535 ms\n");
  return 0;
}

double wb_robot_get_time(void) { return flavor_time(); }

double wb_robot_get_basic_time_step(void) { return robot_table[0].basic_time_step; }

WbDeviceTag wb_robot_get_device(const char *name) {
  if (name == NULL) {
    REPORT_NULL("wb_robot_get_device");
    return 0;
  }
  const WbDeviceTag tag = device_named(name);
  if (tag == 0) {
    PRINT(MESSAGE_UNKNOWN_DEVICE_1);
    text_plain(name);
    PRINT(MESSAGE_UNKNOWN_DEVICE_2 "\n");
  }
  return tag;
}

WbDeviceTag wb_robot_get_device_by_index(int index) {
  if (index >= 0 && index < DEVICES) return (WbDeviceTag)(index + 1);
  PRINT(MESSAGE_INVALID_DEVICE_INDEX "\n");
  return 0;
}

int wb_robot_get_number_of_devices(void) { return DEVICES; }

const char *wb_robot_get_name(void) { return device_name(0); }

WbNodeType wb_robot_get_type(void) { return (WbNodeType)devices[0].node; }

WbRobotMode wb_robot_get_mode(void) { return WB_MODE_CROSS_COMPILATION; }

bool wb_robot_get_synchronization(void) { return robot_table[0].is_synchronized; }

bool wb_robot_get_supervisor(void) { return robot_table[0].is_supervisor; }

void wb_robot_battery_sensor_enable(int sampling_period) {
  channel_enable(robot_table[0].battery, sampling_period);
}

void wb_robot_battery_sensor_disable(void) { channel_enable(robot_table[0].battery, 0); }

int wb_robot_battery_sensor_get_sampling_period(void) { return channel_period(robot_table[0].battery); }

int wb_robot_get_battery_sampling_period(WbDeviceTag tag) {
  (void)tag;
  return wb_robot_battery_sensor_get_sampling_period();
}

double wb_robot_battery_sensor_get_value(void) { return channel_number(robot_table[0].battery); }
