/* Measures the position of a joint. */
#include "wb_position_sensor.h"

#include <webots/position_sensor.h>

#include "sensor.h"

SENSOR_FUNCTIONS(position_sensor, DEVICE_POSITION_SENSOR)

double wb_position_sensor_get_value(WbDeviceTag tag) { return channel_number(channel_of(tag)); }

WbJointType wb_position_sensor_get_type(WbDeviceTag tag) {
  const uint8_t place = device_place(tag, DEVICE_POSITION_SENSOR);
  return place == NO_DEVICE ? WB_ROTATIONAL : (WbJointType)position_sensor_table[place].type;
}

WbDeviceTag wb_position_sensor_get_motor(WbDeviceTag tag) {
  const uint8_t place = device_place(tag, DEVICE_POSITION_SENSOR);
  return place == NO_DEVICE ? 0 : position_sensor_table[place].motor;
}

WbDeviceTag wb_position_sensor_get_brake(WbDeviceTag tag) {
  const uint8_t place = device_place(tag, DEVICE_POSITION_SENSOR);
  return place == NO_DEVICE ? 0 : position_sensor_table[place].brake;
}
