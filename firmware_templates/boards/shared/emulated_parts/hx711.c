/* The logic of an HX711. */
#include "hx711.h"

#define BITS 24
#define FULL_GAIN 128

void hx711_power_up(struct hx711 *part) {
  part->pulses = 0;
  part->gain = FULL_GAIN;
}

bool hx711_clocked(struct hx711 *part) {
  part->pulses++;
  return part->pulses > BITS || (part->shifted >> (BITS - part->pulses) & 1);
}

bool hx711_converted(struct hx711 *part) {
  if (part->pulses > 0 && part->pulses <= BITS) return false;
  if (part->pulses > BITS) {
    part->last_pulses = part->pulses;
    part->gain = part->pulses == BITS + 1 ? FULL_GAIN : part->pulses == BITS + 2 ? 32 : 64;
  }
  part->pulses = 0;
  part->shifted = (uint32_t)(part->counts / (FULL_GAIN / part->gain));
  return true;
}
