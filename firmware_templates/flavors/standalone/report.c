/* Reports commands and readings of each step: "wbridge: step 16 5=0000803f / p2=32 0=00004040". Before the
 * slash are readings of the last step, after it periods and commands, each with its number in the robot link.
 * Values are the bytes that the link would carry. */
#include "report.h"

#ifdef REPORT_DEVICES
#include <stdbool.h>

#include "channels.h"
#include "robot.h"
#include "text.h"
#include "wb_robot.h"

#define BATTERY_MS 1000 /* between two reports of a battery that the controller does not read */

static uint8_t marked[CONTROLLER_CHANNELS / 8 + 1];
static uint8_t periods_marked[CONTROLLER_PERIODS / 8 + 1];

static bool take_mark(uint8_t *marks, uint8_t index) {
  const uint8_t bit = (uint8_t)(1 << index % 8);
  const bool is_set = marks[index / 8] & bit;
  marks[index / 8] &= (uint8_t)~bit;
  return is_set;
}

void report_channel(uint8_t index) { marked[index / 8] |= (uint8_t)(1 << index % 8); }

void report_period(uint8_t period) { periods_marked[period / 8] |= (uint8_t)(1 << period % 8); }

static void put_digit(uint8_t digit) {
  const char text[] = {(char)(digit < 10 ? '0' + digit : 'a' + digit - 10), '\0'};
  text_plain(text);
}

static void put_value(uint16_t channel, const uint8_t *value, uint8_t size) {
  PRINT(" ");
  text_unsigned(channel);
  PRINT("=");
  for (uint8_t k = 0; k < size; k++) {
    put_digit(value[k] >> 4);
    put_digit(value[k] & 15);
  }
}

/* Prints the marked channels of a range. */
static void put_channels(uint8_t begin, uint8_t end) {
  uint8_t value[ROBOT_VALUE_BYTES];
  for (uint8_t index = begin; index != end; index++) {
    if (!take_mark(marked, index) || controller_channels[index].kind == NUMBER_VARYING) continue;
    channel_put(index, value);
    put_value(controller_channels[index].channel, value, channel_bytes(index));
  }
}

/* Prints the state of the battery now and then, unless the controller reads it. */
static void put_battery(uint32_t duration) {
  static uint32_t since = BATTERY_MS;
  const uint8_t index = robot_table[0].battery;
  uint8_t value[ROBOT_VALUE_BYTES];
  since += duration;
  if (index == NO_INDEX || since < BATTERY_MS || channel_period(index) > 0) return;
  since = 0;
  const uint8_t size = robot_read(controller_channels[index].channel, value);
  if (size > 0) put_value(controller_channels[index].channel, value, size);
}

void report_step(uint32_t duration) {
  PRINT("wbridge: step ");
  text_unsigned(duration);
  put_channels(CONTROLLER_COMMANDS, CONTROLLER_CHANNELS);
  put_battery(duration);
  PRINT(" /");
  for (uint8_t k = 0; k != CONTROLLER_PERIODS; k++) {
    if (!take_mark(periods_marked, k)) continue;
    PRINT(" p");
    text_unsigned(period_slots[k]);
    PRINT("=");
    text_unsigned(period_at(k));
  }
  put_channels(0, CONTROLLER_COMMANDS);
  PRINT("\n");
}
#endif
