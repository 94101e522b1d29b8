/* What a controller can reach of its robot. Commands wait here until the flavor tells them to the robot. */
#include "channels.h"

#include <float.h>
#include <math.h>

#include "bytes.h"
#include "flavor.h"
#include "text.h"
#if RECEIVER_DEVICES
#include "wb_receiver.h"
#endif

#define UNTOLD 0x80 /* in `order`: the robot has not been told */

static double channel_memory[REACHED_NUMBERS + 1]; /* emulators look here at what sensors have told */
static uint16_t periods[REACHED_PERIODS + 1];

/* Places of all that was set, what was set last at the end: of a motor's commands the last one counts. */
static uint8_t
    order[REACHED_ACTS > 0 ? REACHED_ACTS + 1 : 2]; /* compilers look at moves that never happen, too */
static uint8_t ordered;
static bool repeats; /* commands that change nothing are told, too */

static const double unknown[4] = {NAN, NAN, NAN, NAN};

void channels_start(void) {
  for (uint8_t k = 0; k != REACHED_NUMBERS; k++) channel_memory[k] = NAN;
}

/* Where a place stands in the order; `ordered` when it does not. */
static uint8_t rank(uint8_t place) {
  uint8_t k = 0;
  while (k < ordered && (order[k] & ~UNTOLD) != place) k++;
  return k;
}

/* Has nothing else been set for the device since? */
static bool is_newest(uint8_t k) {
  const uint8_t tag = reached[order[k] & ~UNTOLD].tag;
  while (++k < ordered)
    if (reached[order[k] & ~UNTOLD].tag == tag) return false;
  return true;
}

void channel_set(uint8_t place, const double *values) {
  if (place == NO_PLACE) return;
  double *own = channel_memory + reached[place].at;
  bool same = true;
  for (uint8_t k = 0; k < reached[place].count; k++) {
    same = same && own[k] == values[k];
    own[k] = values[k];
  }
  uint8_t k = rank(place);
  if (k < ordered) {
    if (same && !repeats && is_newest(k)) return;
    for (ordered--; k < ordered; k++) order[k] = order[k + 1];
  }
  order[ordered++] = place | UNTOLD;
}

void channel_set_one(uint8_t place, double value) { channel_set(place, &value); }

const double *channel_numbers(uint8_t place) {
  return place == NO_PLACE ? unknown : channel_memory + reached[place].at;
}

double channel_number(uint8_t place) { return *channel_numbers(place); }

void channel_enable(uint8_t place, int period) {
  if (!IS_TIME(period)) {
    SAY("wbridge: a sampling period is 0 to 65535 ms\n");
    return;
  }
  if (place == NO_PLACE) return;
  periods[reached[place].period] = (uint16_t)period;
  flavor_period(reached[place].period);
}

int channel_period(uint8_t place) { return place == NO_PLACE ? 0 : (int)periods[reached[place].period]; }

uint16_t period_at(uint8_t period) { return periods[period]; }

uint8_t channels_untold(void) {
  for (uint8_t k = 0; k < ordered; k++)
    if (order[k] & UNTOLD) return order[k] & (uint8_t)~UNTOLD;
  return NO_PLACE;
}

void channels_told(uint8_t place) {
  const uint8_t k = rank(place);
  if (k < ordered) order[k] &= (uint8_t)~UNTOLD;
}

void channels_repeat(bool all) { repeats = all; }

void channels_renew(void) {
  for (uint8_t k = 0; k < ordered; k++) order[k] |= UNTOLD;
}

static uint8_t width(uint8_t kind) { return kind == NUMBER_BOOL ? 1 : kind == NUMBER_REAL ? LINK_REAL : 4; }

uint8_t channel_bytes(uint8_t place) { return (uint8_t)(reached[place].count * width(reached[place].kind)); }

/* A number as a real of the link; the largest stands for those that are larger, but for infinite ones. */
static real as_real(double number) {
#if LINK_REAL == 4 && DBL_MAX_EXP > FLT_MAX_EXP
  if (!isinf(number) && fabs(number) > (double)FLT_MAX) return number < 0 ? -FLT_MAX : FLT_MAX;
#endif
  return (real)number;
}

uint8_t *channel_put(uint8_t place, uint8_t *to) {
  const uint8_t kind = reached[place].kind;
  const double *own = channel_memory + reached[place].at;
  for (uint8_t k = 0; k < reached[place].count; k++) {
    if (kind == NUMBER_REAL)
      to = put_real(to, as_real(own[k]));
    else if (kind == NUMBER_INT)
      to = put_u32(to, (uint32_t)(int32_t)own[k]);
    else
      *to++ = own[k] != 0;
  }
  return to;
}

void channel_take(uint8_t place, const uint8_t *from) {
  const uint8_t kind = reached[place].kind;
#if RECEIVER_DEVICES
  if (kind == NUMBER_VARYING) receiver_take(place, from);
#endif
  double *own = channel_memory + reached[place].at;
  for (uint8_t k = 0; k < reached[place].count; k++, from += width(kind)) {
    if (kind == NUMBER_REAL)
      own[k] = (double)get_real(from);
    else if (kind == NUMBER_INT)
      own[k] = (double)get_i32(from);
    else
      own[k] = *from;
  }
}
