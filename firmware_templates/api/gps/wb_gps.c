/* GPS: position, speed and velocity. */
#include "wb_gps.h"

#include <webots/gps.h>

#include "sensor.h"

SENSOR_FUNCTIONS(gps, DEVICE_GPS)

const double *wb_gps_get_values(WbDeviceTag tag) { return channel_numbers(channel_of(tag)); }

double wb_gps_get_speed(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_GPS);
  return channel_number(index == NO_DEVICE ? NO_INDEX : gps_table[index].speed);
}

const double *wb_gps_get_speed_vector(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_GPS);
  return channel_numbers(index == NO_DEVICE ? NO_INDEX : gps_table[index].velocity);
}

WbGpsCoordinateSystem wb_gps_get_coordinate_system(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_GPS);
  return index == NO_DEVICE ? WB_GPS_LOCAL_COORDINATE
                            : (WbGpsCoordinateSystem)gps_table[index].coordinate_system;
}
