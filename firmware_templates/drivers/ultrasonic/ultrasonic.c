/* An ultrasonic distance sensor. Interrupts measure the echo without blocking. */
#include "ultrasonic.h"

#include "board.h"

#define MEASUREMENT_PERIOD 60 /* ms between measurements, until echoes have faded */
#define TRIGGER_PULSE 10      /* us */
#define METERS_PER_US \
  REAL(0.0001715) /* half the speed of sound at 20 degrees Celsius, for the way there and back */

struct state {
  uint32_t rise_time, width; /* us */
  uint16_t since_trigger;    /* ms since the trigger */
  bool high, triggered, received, has_value;
};

static volatile struct state states[ULTRASONIC_COUNT];

void ultrasonic_start(uint8_t k) {
  board_output(ultrasonic_table[k].trigger, false);
  board_input(ultrasonic_table[k].echo, false);
  board_watch(ultrasonic_table[k].echo);
}

void ultrasonic_changed(uint8_t k) {
  volatile struct state *state = &states[k];
  const bool high = board_level(ultrasonic_table[k].echo);
  if (high == state->high) return;
  state->high = high;
  const uint32_t now = board_micros();
  if (high) {
    state->rise_time = now;
    return;
  }
  state->width = now - state->rise_time;
  state->received = state->has_value = true;
}

void ultrasonic_update(uint8_t k, uint16_t elapsed) {
  volatile struct state *state = &states[k];
  state->since_trigger += elapsed;
  if (state->since_trigger < MEASUREMENT_PERIOD) return;
  board_lock();
  if (state->triggered && !state->received) { /* no echo: nothing in range */
    state->width = UINT32_MAX;
    state->has_value = true;
  }
  state->received = false;
  state->triggered = true;
  board_unlock();
  state->since_trigger = 0;
  board_output(ultrasonic_table[k].trigger, true);
  for (const uint32_t start = board_micros(); board_micros() - start < TRIGGER_PULSE;) {
  }
  board_output(ultrasonic_table[k].trigger, false);
}

bool ultrasonic_value(uint8_t k, real *value) {
  const FLASH struct ultrasonic *sensor = &ultrasonic_table[k];
  board_lock();
  const uint32_t width = states[k].width;
  const bool has_value = states[k].has_value;
  board_unlock();
  const real meters = (real)width * METERS_PER_US;
  *value = curve_at(&sensor->lookup, meters < sensor->range ? meters : sensor->range);
  return has_value;
}
