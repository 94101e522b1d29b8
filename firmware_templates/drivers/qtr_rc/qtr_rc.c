/* A reflectance sensor with a capacitor, which the pin charges, and a phototransistor discharges. Interrupts
 * measure the time until the pin is low, without blocking. */
#include "qtr_rc.h"

#include "board.h"

#define MS REAL(1000.0) /* us */

enum phase { CHARGING, DISCHARGING, DISCHARGED };

static volatile struct state {
  enum phase phase;
  bool has_value;
  uint16_t left;  /* ms until the discharge is too slow */
  uint32_t since; /* us: begin of the discharge */
  uint32_t width; /* us */
} states[QTR_RC_COUNT];

static void charge(uint8_t k) {
  states[k].phase = CHARGING;
  board_output(qtr_rc_table[k].pin, true);
}

void qtr_rc_start(uint8_t k) {
  charge(k);
  board_watch(qtr_rc_table[k].pin);
}

void qtr_rc_changed(uint8_t k) {
  volatile struct state *state = &states[k];
  if (state->phase != DISCHARGING || board_level(qtr_rc_table[k].pin)) return;
  state->width = board_micros() - state->since;
  state->phase = DISCHARGED;
  state->has_value = true;
}

void qtr_rc_update(uint8_t k, uint16_t elapsed) {
  const FLASH struct qtr_rc *sensor = &qtr_rc_table[k];
  volatile struct state *state = &states[k];
  if (state->phase == CHARGING) { /* for a millisecond */
    state->left = (uint16_t)(sensor->longest / MS) + 2;
    board_lock();
    state->since = board_micros();
    board_input(sensor->pin, false);
    state->phase = DISCHARGING;
    board_unlock();
    return;
  }
  state->left = state->left > elapsed ? state->left - elapsed : 0;
  if (state->left > 0) return;
  board_lock();
  if (state->phase == DISCHARGING) {
    state->width = UINT32_MAX;
    state->has_value = true;
  }
  board_unlock();
  charge(k);
}

bool qtr_rc_value(uint8_t k, real *value) {
  const FLASH struct qtr_rc *sensor = &qtr_rc_table[k];
  board_lock();
  const real width = (real)states[k].width;
  const bool has_value = states[k].has_value;
  board_unlock();
  const real share = width < sensor->longest ? width / sensor->longest : 1;
  *value = sensor->low + (sensor->high - sensor->low) * share;
  return has_value;
}
