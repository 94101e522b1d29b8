/* TouchSensor: a bumper, the force along the sensor's axis, or a 3D force. */
#include "wb_touch_sensor.h"

#include <webots/touch_sensor.h>

#include "sensor.h"

SENSOR_FUNCTIONS(touch_sensor, DEVICE_TOUCH_SENSOR)

WbTouchSensorType wb_touch_sensor_get_type(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_TOUCH_SENSOR);
  return index == NO_DEVICE ? WB_TOUCH_SENSOR_BUMPER : (WbTouchSensorType)touch_sensor_table[index].type;
}

/* The sensor's channel if its value has `count` numbers. */
static uint8_t channel_with(WbDeviceTag tag, uint8_t count) {
  const uint8_t index = channel_of(tag);
  return index == NO_INDEX || controller_channels[index].count == count ? index : NO_INDEX;
}

double wb_touch_sensor_get_value(WbDeviceTag tag) { return channel_number(channel_with(tag, 1)); }

const double *wb_touch_sensor_get_values(WbDeviceTag tag) { return channel_numbers(channel_with(tag, 3)); }
