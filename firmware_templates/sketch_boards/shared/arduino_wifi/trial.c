/* The trial of firmware that has come over the air. */
#include "trial.h"

#define JOIN_MS 60000u   /* until the board must be in the network */
#define STABLE_MS 10000u /* that it must then stay there */
#define MOST_STARTS 3u   /* resets in between are crashes, or its user's attempt to help */

static enum trial state;
static uint32_t begun, reached;
static bool was_reached;

void trial_begin(uint32_t starts, uint32_t now) {
  state = starts == 0 ? TRIAL_NONE : starts > MOST_STARTS ? TRIAL_FAILED : TRIAL_ON;
  begun = now;
  was_reached = false;
}

static enum trial ended(enum trial how) {
  state = TRIAL_NONE;
  return how;
}

enum trial trial_go_on(bool is_reached, uint32_t now) {
  if (state != TRIAL_ON) return ended(state);
  if (is_reached && !was_reached) reached = now;
  was_reached = is_reached;
  if (is_reached && now - reached >= STABLE_MS) return ended(TRIAL_PASSED);
  return now - begun >= JOIN_MS && !is_reached ? ended(TRIAL_FAILED) : TRIAL_ON;
}
