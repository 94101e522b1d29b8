/* GPS: position, speed and velocity. */
#ifndef WB_GPS_H
#define WB_GPS_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct gps {
  uint8_t value, speed, velocity;
  uint8_t coordinate_system;
};

extern const FLASH struct gps gps_table[GPS_DEVICES];

#endif
