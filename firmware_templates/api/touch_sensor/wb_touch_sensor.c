/* Feels contacts: a bumper, a force along its axis, or a force in space. */
#include "wb_touch_sensor.h"

#include <webots/touch_sensor.h>

#include "sensor.h"

SENSOR_FUNCTIONS(touch_sensor, DEVICE_TOUCH_SENSOR)

WbTouchSensorType wb_touch_sensor_get_type(WbDeviceTag tag) {
  const uint8_t place = device_place(tag, DEVICE_TOUCH_SENSOR);
  return place == NO_DEVICE ? WB_TOUCH_SENSOR_BUMPER : (WbTouchSensorType)touch_sensor_table[place].type;
}

/* Its channel, when it has the right number of numbers. */
static uint8_t channel_with(WbDeviceTag tag, uint8_t count) {
  const uint8_t place = channel_of(tag);
  return place == NO_PLACE || reached[place].count == count ? place : NO_PLACE;
}

double wb_touch_sensor_get_value(WbDeviceTag tag) { return channel_number(channel_with(tag, 1)); }

const double *wb_touch_sensor_get_values(WbDeviceTag tag) { return channel_numbers(channel_with(tag, 3)); }
