/* An ultrasonic distance sensor. Interrupts measure the echo without blocking. */
#include "ultrasonic.h"

#include "board.h"
#include "pause.h"

#define MEASUREMENT_PERIOD 60 /* ms between measurements of a sensor, until echoes have faded */
#define GAP 30           /* ms between measurements of two sensors, which would hear each other's echoes */
#define TRIGGER_PULSE 10 /* us */
#define MOST_MISSED 3    /* measurements without any answer after which a sensor is not connected */
#define LONGEST_ECHO 300 /* ms: sensors end an echo that has not come earlier */
#define METERS_PER_US \
  REAL(0.0001715) /* half the speed of sound at 20 degrees Celsius, for the way there and back */

struct state {
  uint32_t rise_time, width; /* us */
  uint16_t since_trigger;    /* ms since the trigger */
  uint8_t missed;            /* measurements without an answer */
  bool high, triggered, answered, has_value;
};

static volatile struct state states[ULTRASONIC_COUNT];
static uint8_t turn;       /* the sensor that measures next */
static uint16_t since_any; /* ms since the last trigger of any sensor */

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
    state->answered = true;
    return;
  }
  state->width = now - state->rise_time;
  state->missed = 0;
  state->has_value = true;
}

/* Looks at the last measurement when the next one is due. A sensor that hears nothing ends its pulse late;
 * one that does not even begin it is not connected. Returns false if the pulse has not ended. */
static bool end_measurement(volatile struct state *state) {
  board_lock();
  const bool waits = state->high && state->since_trigger < LONGEST_ECHO;
  if (waits) {
    state->width = UINT32_MAX;
    state->has_value = true;
  } else if (state->high || (state->triggered && !state->answered)) {
    if (state->missed < MOST_MISSED) state->missed++;
    if (state->high || state->missed == MOST_MISSED) state->has_value = false;
  }
  if (!waits) {
    state->answered = false;
    state->triggered = true;
  }
  board_unlock();
  return !waits;
}

void ultrasonic_update(uint8_t k, uint16_t elapsed) {
  volatile struct state *state = &states[k];
  state->since_trigger += elapsed;
  if (k == 0) since_any += elapsed;
  if (turn != k || since_any < GAP || state->since_trigger < MEASUREMENT_PERIOD) return;
  turn = (uint8_t)((k + 1) % ULTRASONIC_COUNT);
  if (!end_measurement(state)) return; /* another one may measure meanwhile */
  state->since_trigger = since_any = 0;
  board_output(ultrasonic_table[k].trigger, true);
  pause_us(TRIGGER_PULSE);
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
