/* PositionSensor: the position of a joint. */
#include "wb_position_sensor.h"

#include <webots/position_sensor.h>

#include "sensor.h"

SENSOR_FUNCTIONS(position_sensor, DEVICE_POSITION_SENSOR)

double wb_position_sensor_get_value(WbDeviceTag tag) { return channel_number(channel_of(tag)); }

WbJointType wb_position_sensor_get_type(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_POSITION_SENSOR);
  return index == NO_DEVICE ? WB_ROTATIONAL : (WbJointType)position_sensor_table[index].type;
}

WbDeviceTag wb_position_sensor_get_motor(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_POSITION_SENSOR);
  return index == NO_DEVICE ? 0 : position_sensor_table[index].motor;
}

WbDeviceTag wb_position_sensor_get_brake(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_POSITION_SENSOR);
  return index == NO_DEVICE ? 0 : position_sensor_table[index].brake;
}
