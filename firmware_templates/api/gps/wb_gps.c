/* Measures where it is. */
#include "wb_gps.h"

#include <webots/gps.h>

#include "sensor.h"

SENSOR_FUNCTIONS(gps, DEVICE_GPS)

const double *wb_gps_get_values(WbDeviceTag tag) { return channel_numbers(channel_of(tag)); }

double wb_gps_get_speed(WbDeviceTag tag) {
  const uint8_t place = device_place(tag, DEVICE_GPS);
  return channel_number(place == NO_DEVICE ? NO_PLACE : gps_table[place].speed);
}

const double *wb_gps_get_speed_vector(WbDeviceTag tag) {
  const uint8_t place = device_place(tag, DEVICE_GPS);
  return channel_numbers(place == NO_DEVICE ? NO_PLACE : gps_table[place].velocity);
}

WbGpsCoordinateSystem wb_gps_get_coordinate_system(WbDeviceTag tag) {
  const uint8_t place = device_place(tag, DEVICE_GPS);
  return place == NO_DEVICE ? WB_GPS_LOCAL_COORDINATE
                            : (WbGpsCoordinateSystem)gps_table[place].coordinate_system;
}
