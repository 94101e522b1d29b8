/* The fault latch. The cause is kept in memory that outlives resets, so that a reset by a computer that opens
 * the wire does not hide it. */
#include "latch.h"

#include "board.h"

static uint8_t cause;
static bool is_closed;

/* Defaults for boards that cannot tell. */
__attribute__((weak)) uint8_t board_reset_cause(void) { return CAUSE_NONE; }

__attribute__((weak)) volatile uint32_t *board_kept(void) {
  static volatile uint32_t lost;
  return &lost;
}

void latch_start(bool outlives_resets) {
  volatile uint32_t *kept = board_kept();
  const uint8_t reset = board_reset_cause();
  const bool is_valid = (*kept & ~(uint32_t)(KEPT_SEEN | KEPT_CAUSE)) == KEPT_MARK;
  bool is_new = is_valid && !(*kept & KEPT_SEEN); /* noted just before the reset */
  cause = is_valid ? *kept & KEPT_CAUSE : CAUSE_NONE;
  if (!is_new && reset == CAUSE_POWER) { /* if memory survives a loss of power, it was a short one */
    cause = is_valid ? CAUSE_BROWN_OUT : CAUSE_NONE;
    is_new = is_valid;
  } else if (!is_new && reset != CAUSE_NONE) {
    cause = reset;
    is_new = true;
  }
  is_closed = cause != CAUSE_NONE && (is_new || outlives_resets);
  *kept = KEPT_MARK | KEPT_SEEN | cause;
}

uint8_t latch_cause(void) { return cause; }

bool latch_is_closed(void) { return is_closed; }

void latch_open(void) {
  cause = CAUSE_NONE;
  is_closed = false;
  *board_kept() = KEPT_MARK | KEPT_SEEN | CAUSE_NONE;
}
