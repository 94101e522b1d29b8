/* The battery's charge, estimated from its voltage, which an INA219 measures. */
#ifndef INA219_BATTERY_H
#define INA219_BATTERY_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "curve.h"

struct ina219_battery {
  uint8_t sda, scl; /* set by the board */
  uint8_t address;
  struct curve curve; /* V to J */
};

extern const FLASH struct ina219_battery ina219_battery_table[INA219_BATTERY_COUNT];

void ina219_battery_start(uint8_t k);
bool ina219_battery_battery(uint8_t k, real *joules);

#endif
