/* Means of several conversions of an analog pin. */
#include "average.h"

#include "board.h"

real average_adc(uint8_t pin, uint8_t samples) {
  uint32_t sum = 0;
  for (uint8_t k = 0; k < samples; k++) sum += board_adc(pin);
  return (real)sum / samples;
}
