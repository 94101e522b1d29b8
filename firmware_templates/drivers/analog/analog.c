/* A sensor with a voltage proportional to its value. */
#include "analog.h"

#include "average.h"
#include "board.h"

bool analog_value(uint8_t k, real *value) {
  const FLASH struct analog *sensor = &analog_table[k];
  *value =
      sensor->low + (sensor->high - sensor->low) * average_adc(sensor->pin, sensor->samples) / BOARD_ADC_TOP;
  return true;
}

bool analog_position(uint8_t k, real *position) { return analog_value(k, position); }
