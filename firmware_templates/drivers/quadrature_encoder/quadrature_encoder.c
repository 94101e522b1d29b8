/* A quadrature encoder: the sequence 00, 10, 11, 01 of its tracks (A, B) is forward. */
#include "quadrature_encoder.h"

#include "board.h"

#define FULL_TURN REAL(6.283185307179586)

static volatile int32_t counts[QUADRATURE_ENCODER_COUNT];
static volatile uint8_t last_phase[QUADRATURE_ENCODER_COUNT];

static uint8_t phase(uint8_t k) {
  const bool a = board_level(quadrature_encoder_table[k].a), b = board_level(quadrature_encoder_table[k].b);
  return b ? (a ? 2 : 3) : (a ? 1 : 0);
}

#ifdef QUADRATURE_ENCODER_TIMER
static uint16_t last_count[QUADRATURE_ENCODER_COUNT]; /* of the timer */

static bool is_timed(uint8_t k) { return quadrature_encoder_table[k].timer != 0; }

static void start_timer(uint8_t k) {
  const FLASH struct quadrature_encoder *one = &quadrature_encoder_table[k];
  board_encoder_start(one->timer, one->reversed ? one->b : one->a, one->reversed ? one->a : one->b);
  last_count[k] = board_encoder_count(one->timer);
}

/* Adds what the timer has counted since the last time, which must be less than 2^15. */
static void take_count(uint8_t k) {
  const uint16_t now = board_encoder_count(quadrature_encoder_table[k].timer);
  const int16_t moved = (int16_t)(uint16_t)(now - last_count[k]);
  last_count[k] = now;
  counts[k] += quadrature_encoder_table[k].reversed ? -moved : moved;
}

void quadrature_encoder_update(uint8_t k, uint16_t elapsed) {
  (void)elapsed;
  take_count(k);
}
#else
static bool is_timed(uint8_t k) {
  (void)k;
  return false;
}

static void start_timer(uint8_t k) { (void)k; }
static void take_count(uint8_t k) { (void)k; }
#endif

void quadrature_encoder_start(uint8_t k) {
  if (is_timed(k)) {
    start_timer(k);
    return;
  }
  board_input(quadrature_encoder_table[k].a, true);
  board_input(quadrature_encoder_table[k].b, true);
  last_phase[k] = phase(k);
  board_watch(quadrature_encoder_table[k].a);
  board_watch(quadrature_encoder_table[k].b);
}

void quadrature_encoder_changed(uint8_t k) {
  const uint8_t current = phase(k);
  const uint8_t forward = (current - last_phase[k]) & 3;
  last_phase[k] = current;
  if (forward == 1)
    counts[k]++;
  else if (forward == 3)
    counts[k]--; /* 2: both tracks changed at once, because of noise or a too high speed */
}

static int32_t count_of(uint8_t k) {
  if (is_timed(k)) take_count(k);
  board_lock();
  const int32_t count = counts[k];
  board_unlock();
  return count;
}

static real distance(uint8_t k, int32_t count) {
  const real turns = (real)count / quadrature_encoder_table[k].counts;
  return quadrature_encoder_table[k].linear ? turns : turns * FULL_TURN;
}

bool quadrature_encoder_position(uint8_t k, real *position) {
  *position = distance(k, count_of(k));
  return true;
}

real quadrature_encoder_moved(uint8_t k, int32_t *since) {
  const int32_t count = count_of(k);
  const int32_t moved = (int32_t)((uint32_t)count - (uint32_t)*since);
  *since = count;
  return distance(k, moved);
}
