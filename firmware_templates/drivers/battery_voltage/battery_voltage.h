/* The battery's charge, estimated from its voltage. */
#ifndef BATTERY_VOLTAGE_H
#define BATTERY_VOLTAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "curve.h"

struct battery_voltage {
  uint8_t pin;
  uint8_t samples; /* conversions for a reading */
  real ratio;
  struct curve curve; /* V to J */
};

extern const FLASH struct battery_voltage battery_voltage_table[BATTERY_VOLTAGE_COUNT];

bool battery_voltage_battery(uint8_t k, real *joules);

#endif
