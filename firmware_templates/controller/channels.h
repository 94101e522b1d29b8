/* What a controller can reach of its robot: numbers that it sets, numbers that are sensed, sampling periods.
 */
#ifndef CHANNELS_H
#define CHANNELS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "memory.h"
#include "table.h"

#define NO_PLACE 0xFF

/* Does a number of ms fit into 16 bits without a sign? */
#if INT_MAX > UINT16_MAX
#define IS_TIME(ms) ((ms) >= 0 && (ms) <= UINT16_MAX)
#else
#define IS_TIME(ms) ((ms) >= 0)
#endif

struct reach {
  uint16_t channel; /* as the robot link numbers it */
  uint8_t tag;      /* of its device */
  uint8_t kind;     /* enum number_kind */
  uint8_t count;    /* of its numbers */
  uint8_t at;       /* place of the first one */
  uint8_t period;   /* place of its sampling period, or NO_PLACE */
};

/* Those that are set come first: REACHED_ACTS of REACHED. devices.c has the data. A robot may have none:
   loops over them end by !=, as no number without a sign is less than 0. */
extern const FLASH struct reach reached[REACHED + 1];

/* The slot of each sampling period, as the robot link numbers it. */
extern const FLASH uint16_t period_slots[REACHED_PERIODS + 1];

/* For the functions of the controller; a place may be NO_PLACE: then nothing happens, and NaN is read. */

void channel_set(uint8_t place, const double *values);
void channel_set_one(uint8_t place, double value);

/* What was set last, or sensed last; NaN before that. */
double channel_number(uint8_t place);
const double *channel_numbers(uint8_t place);

/* Set the sampling period in ms; 0 is off. Wrong ones are told. */
void channel_enable(uint8_t place, int period);
int channel_period(uint8_t place);

/* For the flavor. */

/* Nothing has been set or sensed. */
void channels_start(void);

/* The next command that has not been told yet, in the order of the settings; NO_PLACE: all have. */
uint8_t channels_untold(void);

/* It has been told. */
void channels_told(uint8_t place);

/* All that lasts has to be told again. */
void channels_renew(void);

/* From now on tell commands, too, that change nothing. */
void channels_repeat(bool all);

/* Bytes of a value as the link writes it. */
uint8_t channel_bytes(uint8_t place);

/* Write what was set last as the link does; return the place behind it. */
uint8_t *channel_put(uint8_t place, uint8_t *to);

/* Take what was sensed. */
void channel_take(uint8_t place, const uint8_t *from);

/* The sampling period in ms at a place among the periods. */
uint16_t period_at(uint8_t period);

#endif
