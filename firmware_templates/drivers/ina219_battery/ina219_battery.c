/* The battery's charge, estimated from its voltage, which an INA219 measures. */
#include "ina219_battery.h"

#include "board.h"

#define VOLTAGE 0x02 /* in the upper 13 bits; the chip measures all the time from power-up on */
#define VOLTS ((real)0.004)

bool ina219_battery_battery(uint8_t k, real *joules) {
  const FLASH struct ina219_battery *battery = &ina219_battery_table[k];
  const uint8_t voltage = VOLTAGE;
  uint8_t bytes[2];
  if (!board_i2c(battery->address, &voltage, 1, bytes, sizeof bytes)) return false;
  *joules = curve_at(&battery->curve, (real)(((uint16_t)bytes[0] << 8 | bytes[1]) >> 3) * VOLTS);
  return true;
}
