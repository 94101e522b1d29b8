/* An analog distance sensor: converts volts to meters by the sensor's curve, then meters to values by the
 * lookup table of the simulation. */
#include "analog_distance.h"

#include "average.h"
#include "board.h"

bool analog_distance_value(uint8_t k, real *value) {
  const FLASH struct analog_distance *sensor = &analog_distance_table[k];
  const real volts = BOARD_SUPPLY * average_adc(sensor->pin, sensor->samples) / BOARD_ADC_TOP;
  *value = curve_at(&sensor->lookup, curve_at(&sensor->curve, volts));
  return true;
}
