/* A load cell with an HX711, which has a value 10 or 80 times a second. */
#include "hx711_force.h"

#include "board.h"

#define BITS 24
#define TIMEOUT 600 /* ms without a measurement; after power-up the first one takes 400 ms */

static struct state {
  bool gain_set; /* the gain applies to the measurement after the reading that selects it */
  bool measured;
  int32_t counts;
  uint32_t since; /* ms: time of the last measurement */
} states[HX711_FORCE_COUNT];

void hx711_force_start(uint8_t k) {
  states[k] = (struct state){0};
  board_output(hx711_force_table[k].clock, false);
  board_input(hx711_force_table[k].data, true); /* without a part: no value is ready */
}

/* Sends a clock pulse. An interrupt must not prolong it: the part switches off after 60 us. */
static void send_pulse(uint8_t clock) {
  board_lock();
  board_output(clock, true);
  board_output(clock, false);
  board_unlock();
}

/* Reads a value; further pulses select the gain of the next one. */
static int32_t shift_in(const FLASH struct hx711_force *sensor) {
  uint32_t bits = 0;
  for (uint8_t k = 0; k < BITS; k++) {
    send_pulse(sensor->clock);
    bits = bits << 1 | board_level(sensor->data);
  }
  for (uint8_t k = 0; k <= sensor->gain; k++) send_pulse(sensor->clock);
  return (int32_t)(bits << 8) / 256;
}

bool hx711_force_value(uint8_t k, real *value) {
  const FLASH struct hx711_force *sensor = &hx711_force_table[k];
  struct state *state = &states[k];
  const uint32_t now = board_millis();
  if (!board_level(sensor->data)) {
    state->counts = shift_in(sensor);
    state->measured = state->gain_set;
    state->gain_set = true;
    state->since = now;
  } else if (now - state->since > TIMEOUT) {
    *state = (struct state){.since = now};
  }
  *value = curve_at(&sensor->lookup, ((real)state->counts - sensor->zero) / sensor->scale);
  return state->measured;
}
