/* An ultrasonic distance sensor. The echo is timed by interrupts, so that nobody waits for it. */
#include "ultrasonic.h"

#include "board.h"

#define ROUND 60                      /* ms between two measurements: older echoes have died away */
#define PULSE 10                      /* us */
#define METERS_PER_US REAL(0.0001715) /* half of the speed of sound at 20 degrees: there and back */

struct state {
  uint32_t rose, width; /* us */
  uint16_t waited;      /* ms since the trigger */
  bool high, asked, heard, ever;
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
    state->rose = now;
    return;
  }
  state->width = now - state->rose;
  state->heard = state->ever = true;
}

void ultrasonic_update(uint8_t k, uint16_t elapsed) {
  volatile struct state *state = &states[k];
  state->waited += elapsed;
  if (state->waited < ROUND) return;
  board_lock();
  if (state->asked && !state->heard) { /* no echo: nothing within reach */
    state->width = UINT32_MAX;
    state->ever = true;
  }
  state->heard = false;
  state->asked = true;
  board_unlock();
  state->waited = 0;
  board_output(ultrasonic_table[k].trigger, true);
  for (const uint32_t start = board_micros(); board_micros() - start < PULSE;) {
  }
  board_output(ultrasonic_table[k].trigger, false);
}

bool ultrasonic_value(uint8_t k, real *value) {
  const FLASH struct ultrasonic *sensor = &ultrasonic_table[k];
  board_lock();
  const uint32_t width = states[k].width;
  const bool ever = states[k].ever;
  board_unlock();
  const real meters = (real)width * METERS_PER_US;
  *value = curve_at(&sensor->lookup, meters < sensor->range ? meters : sensor->range);
  return ever;
}
