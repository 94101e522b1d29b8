/* An encoder with one track: each edge counts in the direction that its motor was last commanded. */
#include "single_track_encoder.h"

#include "board.h"
#ifdef DRV8833_COUNT
#include "drv8833.h"
#endif
#ifdef HBRIDGE_COUNT
#include "hbridge.h"
#endif

#define FULL_TURN REAL(6.283185307179586)

static volatile int32_t counts[SINGLE_TRACK_ENCODER_COUNT];
static volatile bool levels[SINGLE_TRACK_ENCODER_COUNT];

void single_track_encoder_start(uint8_t k) {
  const uint8_t pin = single_track_encoder_table[k].pin;
  board_input(pin, true);
  levels[k] = board_level(pin);
  board_watch(pin);
}

static bool goes_backward(uint8_t motor) {
#ifdef DRV8833_COUNT
  if (motor & OF_DRV8833) return drv8833_goes_backward((uint8_t)(motor & ~OF_DRV8833));
#endif
#ifdef HBRIDGE_COUNT
  return hbridge_goes_backward(motor);
#else
  return false;
#endif
}

void single_track_encoder_changed(uint8_t k) {
  const bool level = board_level(single_track_encoder_table[k].pin);
  if (level == levels[k]) return; /* another pin has changed */
  levels[k] = level;
  if (goes_backward(single_track_encoder_table[k].motor))
    counts[k]--;
  else
    counts[k]++;
}

bool single_track_encoder_position(uint8_t k, real *position) {
  board_lock();
  const int32_t count = counts[k];
  board_unlock();
  const real turns = (real)count / single_track_encoder_table[k].counts;
  *position = single_track_encoder_table[k].linear ? turns : turns * FULL_TURN;
  return true;
}
