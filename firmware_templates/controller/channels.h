/* Channels available to the controller: commands, sensor values, sampling periods. */
#ifndef CHANNELS_H
#define CHANNELS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "memory.h"
#include "table.h"

#define NO_INDEX 0xFF

/* True if a number of ms fits into 16 unsigned bits. */
#if INT_MAX > UINT16_MAX
#define IS_TIME(ms) ((ms) >= 0 && (ms) <= UINT16_MAX)
#else
#define IS_TIME(ms) ((ms) >= 0)
#endif

struct controller_channel {
  uint16_t channel; /* number in the robot link */
  uint8_t tag;      /* of its device */
  uint8_t kind;     /* enum number_kind */
  uint8_t count;    /* of numbers */
  uint8_t first;    /* index of the first number */
  uint8_t period;   /* index of the sampling period, or NO_INDEX */
};

/* Commands come first: CONTROLLER_COMMANDS of CONTROLLER_CHANNELS. devices.c has the data. A robot may have
 * none, so loops end with !=: no unsigned number is less than 0. */
extern const FLASH struct controller_channel controller_channels[CONTROLLER_CHANNELS + 1];

/* The numbers of all channels; test benches find them by name. */
extern double channel_memory[CONTROLLER_NUMBERS + 1];

/* The slot of each sampling period in the robot link. */
extern const FLASH uint16_t period_slots[CONTROLLER_PERIODS + 1];

/* For API functions. With the index NO_INDEX, nothing is set and NaN is read. */

void channel_set(uint8_t index, const double *values);
void channel_set_one(uint8_t index, double value);

/* The last command or sensor value; NaN before the first, and if the sensor gave none. */
double channel_number(uint8_t index);
const double *channel_numbers(uint8_t index);

/* Sets the sampling period in ms; 0 disables the sensor. Reports invalid periods. */
void channel_enable(uint8_t index, int period);
int channel_period(uint8_t index);

/* For the flavor. */

/* Makes a sensor value NaN: the sensor gave none. */
void channel_forget(uint8_t index);

/* Clears all commands and sensor values. */
void channels_reset(void);

/* The next command to send, in the order they were set; NO_INDEX if none is pending. */
uint8_t channels_next_pending(void);

/* Marks a command as sent. */
void channels_mark_sent(uint8_t index);

/* Marks all commands for sending again, for a new session. */
void channels_resend(void);

/* From now on, also send commands that change nothing. */
void channels_send_repeats(bool all);

/* Size of a value in bytes, as the link encodes it. */
uint8_t channel_bytes(uint8_t index);

/* Writes a command as the link encodes it; returns the address after it. */
uint8_t *channel_put(uint8_t index, uint8_t *to);

/* Stores a received sensor value. */
void channel_take(uint8_t index, const uint8_t *from);

/* The sampling period in ms at an index. */
uint16_t period_at(uint8_t period);

#endif
