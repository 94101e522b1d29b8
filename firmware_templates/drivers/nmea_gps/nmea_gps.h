/* A GPS module that sends NMEA sentences. */
#ifndef NMEA_GPS_H
#define NMEA_GPS_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"

struct nmea_gps {
  uint8_t rx; /* set by the board */
  uint32_t baud;
  real latitude, longitude, altitude; /* of the origin of local coordinates: degrees, m */
  bool is_local;
};

extern const FLASH struct nmea_gps nmea_gps_table[NMEA_GPS_COUNT];

void nmea_gps_start(uint8_t k);
void nmea_gps_update(uint8_t k, uint16_t elapsed);

/* Latitude and longitude in degrees and altitude in m, or meters east, north and up of the origin. */
bool nmea_gps_position(uint8_t k, real *values);

/* In m/s. */
bool nmea_gps_speed(uint8_t k, real *speed);

#endif
