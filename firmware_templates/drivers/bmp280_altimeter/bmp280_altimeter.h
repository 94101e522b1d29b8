/* The altitude by the air pressure that a BMP280 measures. */
#ifndef BMP280_ALTIMETER_H
#define BMP280_ALTIMETER_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"

struct bmp280_altimeter {
  uint8_t sda, scl; /* set by the board */
  uint8_t address;
  real sea_level; /* hPa */
};

extern const FLASH struct bmp280_altimeter bmp280_altimeter_table[BMP280_ALTIMETER_COUNT];

void bmp280_altimeter_start(uint8_t k);
bool bmp280_altimeter_altitude(uint8_t k, real *meters);

#endif
