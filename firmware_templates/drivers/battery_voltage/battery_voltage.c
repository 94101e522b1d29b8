/* The battery's charge, estimated from its voltage. */
#include "battery_voltage.h"

#include "average.h"
#include "board.h"

bool battery_voltage_battery(uint8_t k, real *joules) {
  const FLASH struct battery_voltage *battery = &battery_voltage_table[k];
  const real volts =
      BOARD_SUPPLY * average_adc(battery->pin, battery->samples) / BOARD_ADC_TOP * battery->ratio;
  *joules = curve_at(&battery->curve, volts);
  return true;
}
