/* DistanceSensor: distances converted by the lookup table. */
#include "wb_distance_sensor.h"

#include <math.h>
#include <webots/distance_sensor.h>

#include "sensor.h"

SENSOR_FUNCTIONS(distance_sensor, DEVICE_DISTANCE_SENSOR)

double wb_distance_sensor_get_value(WbDeviceTag tag) { return channel_number(channel_of(tag)); }

double wb_distance_sensor_get_aperture(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_DISTANCE_SENSOR);
  return index == NO_DEVICE ? NAN : distance_sensor_table[index].aperture;
}

double wb_distance_sensor_get_max_value(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_DISTANCE_SENSOR);
  return index == NO_DEVICE ? NAN : distance_sensor_table[index].max_value;
}

double wb_distance_sensor_get_min_value(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_DISTANCE_SENSOR);
  return index == NO_DEVICE ? NAN : distance_sensor_table[index].min_value;
}

WbDistanceSensorType wb_distance_sensor_get_type(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_DISTANCE_SENSOR);
  return index == NO_DEVICE ? WB_DISTANCE_SENSOR_GENERIC
                            : (WbDistanceSensorType)distance_sensor_table[index].type;
}
