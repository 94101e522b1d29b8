/* Runs the controller on the board, paced by its clock. Steps follow an absolute schedule; if one takes too
 * long, it is reported and the schedule restarts. */
#include <limits.h>
#include <stdbool.h>

#include "board.h"
#include "channels.h"
#include "config.h"
#include "flavor.h"
#include "messages.h"
#include "packets.h"
#include "report.h"
#include "robot.h"
#include "text.h"

#define ROUND_S 4294967.296 /* 2^32 ms */

bool flavor_started;
uint32_t flavor_begun, flavor_schedule;
static uint32_t last_update; /* ms: last update of the drivers */
static uint16_t since_sample[CONTROLLER_PERIODS + 1];
static uint16_t rounds; /* how often the controller's time has passed 2^32 ms, which is 49.7 days */
static uint32_t overruns, next_report = 1;

void flavor_start(void) { robot_start(); }

void flavor_period(uint8_t period) {
  since_sample[period] = 0;
  robot_set_period(period_slots[period], period_at(period));
  report_period(period);
}

double flavor_time(void) { return rounds * ROUND_S + (double)(flavor_schedule - flavor_begun) / 1000; }

void flavor_text(char character) { board_write_byte((uint8_t)character); }

#ifdef REPORT_LOAD
#define REPORT_US 1000000 /* between two reports */

/* In us: the start of the step and the sleep in it; since the last report the whole time, the time without
 * sleep, and the largest such time of a step. */
static uint32_t step_begun, slept, load_time, load_busy, most_busy;

/* Sleeps until an interrupt. The interrupt itself counts as sleep. */
static void sleep_a_while(void) {
  const uint32_t before = board_micros();
  board_idle();
  slept += board_micros() - before;
}

static void begin_load(void) { step_begun = board_micros(); }

static void report_load(void) {
  PRINT(MESSAGE_LOAD_1);
  text_unsigned(100 * (load_busy / 100) / (load_time / 100));
  PRINT(MESSAGE_LOAD_2);
  text_unsigned(most_busy);
  PRINT(MESSAGE_LOAD_3 "\n");
  load_time = load_busy = most_busy = 0;
}

/* Ends a step; its time begins with reading the sensors. */
static void count_load(void) {
  const uint32_t now = board_micros(), time = now - step_begun, busy = time - slept;
  load_time += time;
  load_busy += busy;
  if (busy > most_busy) most_busy = busy;
  step_begun = now;
  slept = 0;
  if (load_time >= REPORT_US) report_load();
}
#else
static void sleep_a_while(void) { board_idle(); }
static void begin_load(void) {}
static void count_load(void) {}
#endif

/* Sleeps until an interrupt, which also feeds the watchdog, then updates the drivers. */
static void update_drivers(void) {
  sleep_a_while();
#ifdef LINK_CONNECTIONS
  board_read_byte(); /* serves the network */
#endif
  const uint32_t now = board_millis();
  if (now != last_update) {
    robot_update((uint16_t)(now - last_update));
    last_update = now;
  }
}

/* Stops the motors while the robot is blind. Returns false if they may move. */
static bool stand_still(void) {
  static bool stands;
  if (robot_is_blind() == stands) return stands;
  stands = !stands;
  if (stands) {
    robot_stop();
    PRINT(MESSAGE_NO_DISTANCE "\n");
  } else {
    channels_resend();
  }
  return stands;
}

static void send_commands(void) {
  if (stand_still()) return;
  for (uint8_t index; (index = channels_next_pending()) != NO_INDEX; channels_mark_sent(index)) {
    uint8_t value[ROBOT_VALUE_BYTES];
    channel_put(index, value);
    robot_set(controller_channels[index].channel, value);
    report_channel(index);
  }
  for (struct pending_packet packet; (packet = packets_next_pending()).index != NO_INDEX; packets_mark_sent())
    robot_set(controller_channels[packet.index].channel, packet.value);
  packets_acknowledge();
}

/* Reads the sensors with a sampling period. */
static void sample(uint8_t period) {
  uint8_t value[ROBOT_VALUE_BYTES];
  for (uint8_t index = CONTROLLER_COMMANDS; index != CONTROLLER_CHANNELS; index++) {
    if (controller_channels[index].period != period) continue;
    const bool varies = controller_channels[index].kind == NUMBER_VARYING; /* there may be more packets */
    bool has_value;
    do {
      has_value = robot_read(controller_channels[index].channel, value) > 0;
      if (has_value)
        channel_take(index, value);
      else if (!varies)
        channel_forget(index);
      if (has_value || !varies) report_channel(index);
    } while (has_value && varies);
  }
}

static void take_samples(uint32_t passed) {
  for (uint8_t k = 0; k != CONTROLLER_PERIODS; k++) {
    const uint16_t period = period_at(k);
    if (period == 0) continue;
    const uint32_t sum = since_sample[k] + passed;
    since_sample[k] = (uint16_t)(sum % period);
    if (sum >= period) sample(k);
  }
}

/* Reports overruns number 1, 2, 4, 8 and so on. */
static void report_overrun(uint32_t took, uint16_t duration) {
  if (++overruns != next_report) return;
  next_report *= 2;
  PRINT(MESSAGE_OVERRUN_1);
  text_unsigned(duration);
  PRINT(MESSAGE_OVERRUN_2);
  text_unsigned(took);
  PRINT(MESSAGE_OVERRUN_3);
  text_unsigned(overruns);
  PRINT("\n");
}

int flavor_step(uint16_t duration) {
  if (!flavor_started) {
    flavor_started = true;
    flavor_begun = flavor_schedule = last_update = board_millis(); /* the drivers' times begin here, too */
    begin_load();
  }
  send_commands();
  const uint32_t elapsed = board_millis() - flavor_schedule;
  if (duration == 0) {
    update_drivers();
    return 0;
  }
  const uint32_t passed = elapsed > duration ? elapsed : duration;
  report_step(passed); /* now, when the commands are sent and the board waits anyway */
  do update_drivers();
  while (board_millis() - flavor_schedule < passed);
  flavor_schedule += passed;
  if (flavor_schedule - flavor_begun < passed) rounds++;
  count_load();
  take_samples(passed);
  if (elapsed > duration) report_overrun(elapsed, duration);
  return elapsed < INT_MAX ? (int)elapsed : INT_MAX;
}

void flavor_end(void) {
  flavor_started = true;
  robot_stop();
  for (;;) update_drivers();
}
