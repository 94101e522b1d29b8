/* The controller on the board, with the robot's own clock. Steps follow an absolute schedule; a controller
   that takes longer than its step is told, and the schedule begins anew. */
#include <limits.h>
#include <stdbool.h>

#include "board.h"
#include "channels.h"
#include "flavor.h"
#include "packets.h"
#include "robot.h"
#include "text.h"

bool flavor_begun;
static uint32_t begun, schedule; /* ms: the first step, the end of the last one */
static uint32_t served;          /* ms: when the drivers worked last */
static uint16_t waited[REACHED_PERIODS + 1];
static uint32_t overruns, told_at = 1;

void flavor_start(void) {
  robot_start();
  served = board_millis();
}

void flavor_period(uint8_t period) { waited[period] = 0; }

uint32_t flavor_time(void) { return schedule - begun; }

void flavor_text(char one) { board_write_byte((uint8_t)one); }

/* Let the drivers work; the board sleeps until something may have happened, and its watchdog is fed. */
static void serve(void) {
  const uint32_t now = board_millis();
  if (now != served) {
    robot_update((uint16_t)(now - served));
    served = now;
  }
  board_idle();
}

static void tell_commands(void) {
  for (uint8_t place; (place = channels_untold()) != NO_PLACE; channels_told(place)) {
    uint8_t value[ROBOT_VALUE_BYTES];
    channel_put(place, value);
    robot_set(reached[place].channel, value);
  }
  for (struct waiting_packet one; (one = packets_untold()).place != NO_PLACE; packets_told())
    robot_set(reached[one.place].channel, one.value);
  packets_arrived();
}

/* Read the sensors of a sampling period. */
static void sample(uint8_t period) {
  uint8_t value[ROBOT_VALUE_BYTES];
  for (uint8_t place = REACHED_ACTS; place != REACHED; place++)
    while (reached[place].period == period && robot_read(reached[place].channel, value) > 0) {
      channel_take(place, value);
      if (reached[place].kind != NUMBER_VARYING) break; /* of packets there may be more */
    }
}

static void take_samples(uint32_t passed) {
  for (uint8_t k = 0; k != REACHED_PERIODS; k++) {
    const uint16_t period = period_at(k);
    if (period == 0) continue;
    const uint32_t sum = waited[k] + passed;
    waited[k] = (uint16_t)(sum % period);
    if (sum >= period) sample(k);
  }
}

/* Tell the first, second, fourth, eighth ... step that took too long. */
static void tell_overrun(uint32_t took, uint16_t duration) {
  if (++overruns != told_at) return;
  told_at *= 2;
  SAY("wbridge: a step of ");
  text_unsigned(duration);
  SAY(" ms took ");
  text_unsigned(took);
  SAY(" ms; such steps so far: ");
  text_unsigned(overruns);
  SAY("\n");
}

int flavor_step(uint16_t duration) {
  if (!flavor_begun) {
    flavor_begun = true;
    begun = schedule = board_millis();
  }
  tell_commands();
  const uint32_t late = board_millis() - schedule;
  if (duration == 0) {
    serve();
    return 0;
  }
  const uint32_t passed = late > duration ? late : duration;
  do serve();
  while (board_millis() - schedule < passed);
  schedule += passed;
  take_samples(passed);
  if (late > duration) tell_overrun(late, duration);
  return late < INT_MAX ? (int)late : INT_MAX;
}

void flavor_end(void) {
  flavor_begun = true;
  robot_stop();
  for (;;) serve();
}
