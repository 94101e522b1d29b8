/* Channels available to the controller. Commands wait here until the flavor sends them to the robot. */
#include "channels.h"

#include <float.h>
#include <math.h>

#include "bytes.h"
#include "flavor.h"
#include "messages.h"
#include "text.h"
#if RECEIVER_DEVICES
#include "wb_receiver.h"
#endif

#define PENDING 0x80 /* flag in `order`: not yet sent to the robot */

double channel_memory[CONTROLLER_NUMBERS + 1];
static uint16_t periods[CONTROLLER_PERIODS + 1];

/* Indices of all commands in the order they were set: of a motor's commands, the last one wins. */
static uint8_t order[CONTROLLER_COMMANDS > 0 ? CONTROLLER_COMMANDS + 1 : 2]; /* avoids compiler warnings about
                                                                                moves that never happen */
static uint8_t order_size;
static bool send_repeats; /* also send commands that change nothing */

static const double no_numbers[4] = {NAN, NAN, NAN, NAN};

void channels_reset(void) {
  for (uint8_t k = 0; k != CONTROLLER_NUMBERS; k++) channel_memory[k] = NAN;
}

/* Position of a command in the order; `order_size` if it is not there. */
static uint8_t rank(uint8_t index) {
  uint8_t k = 0;
  while (k < order_size && (order[k] & ~PENDING) != index) k++;
  return k;
}

/* True if no other command was set for the device since. */
static bool is_newest(uint8_t k) {
  const uint8_t tag = controller_channels[order[k] & ~PENDING].tag;
  while (++k < order_size)
    if (controller_channels[order[k] & ~PENDING].tag == tag) return false;
  return true;
}

void channel_set(uint8_t index, const double *values) {
  if (index == NO_INDEX) return;
  double *numbers = channel_memory + controller_channels[index].first;
  bool same = true;
  for (uint8_t k = 0; k < controller_channels[index].count; k++) {
    same = same && numbers[k] == values[k];
    numbers[k] = values[k];
  }
  uint8_t k = rank(index);
  if (k < order_size) {
    if (same && !send_repeats && is_newest(k)) return;
    for (order_size--; k < order_size; k++) order[k] = order[k + 1];
  }
  order[order_size++] = index | PENDING;
}

void channel_set_one(uint8_t index, double value) { channel_set(index, &value); }

const double *channel_numbers(uint8_t index) {
  return index == NO_INDEX ? no_numbers : channel_memory + controller_channels[index].first;
}

double channel_number(uint8_t index) { return *channel_numbers(index); }

void channel_enable(uint8_t index, int period) {
  if (!IS_TIME(period)) {
    PRINT(MESSAGE_INVALID_PERIOD "\n");
    return;
  }
  if (index == NO_INDEX) return;
  periods[controller_channels[index].period] = (uint16_t)period;
  flavor_period(controller_channels[index].period);
}

int channel_period(uint8_t index) {
  return index == NO_INDEX ? 0 : (int)periods[controller_channels[index].period];
}

uint16_t period_at(uint8_t period) { return periods[period]; }

uint8_t channels_next_pending(void) {
  for (uint8_t k = 0; k < order_size; k++)
    if (order[k] & PENDING) return order[k] & (uint8_t)~PENDING;
  return NO_INDEX;
}

void channels_mark_sent(uint8_t index) {
  const uint8_t k = rank(index);
  if (k < order_size) order[k] &= (uint8_t)~PENDING;
}

void channels_send_repeats(bool all) { send_repeats = all; }

void channels_resend(void) {
  for (uint8_t k = 0; k < order_size; k++) order[k] |= PENDING;
}

static uint8_t width(uint8_t kind) { return kind == NUMBER_BOOL ? 1 : kind == NUMBER_REAL ? LINK_REAL : 4; }

uint8_t channel_bytes(uint8_t index) {
  return (uint8_t)(controller_channels[index].count * width(controller_channels[index].kind));
}

/* A number as a real of the link. Finite numbers that are too large become the largest real. */
static real as_real(double number) {
#if LINK_REAL == 4 && DBL_MAX_EXP > FLT_MAX_EXP
  if (!isinf(number) && fabs(number) > (double)FLT_MAX) return number < 0 ? -FLT_MAX : FLT_MAX;
#endif
  return (real)number;
}

uint8_t *channel_put(uint8_t index, uint8_t *to) {
  const uint8_t kind = controller_channels[index].kind;
  const double *numbers = channel_memory + controller_channels[index].first;
  for (uint8_t k = 0; k < controller_channels[index].count; k++) {
    if (kind == NUMBER_REAL)
      to = put_real(to, as_real(numbers[k]));
    else if (kind == NUMBER_INT)
      to = put_u32(to, (uint32_t)(int32_t)numbers[k]);
    else
      *to++ = numbers[k] != 0;
  }
  return to;
}

void channel_forget(uint8_t index) {
  double *numbers = channel_memory + controller_channels[index].first;
  for (uint8_t k = 0; k < controller_channels[index].count; k++) numbers[k] = NAN;
}

void channel_take(uint8_t index, const uint8_t *from) {
  const uint8_t kind = controller_channels[index].kind;
#if RECEIVER_DEVICES
  if (kind == NUMBER_VARYING) receiver_take(index, from);
#endif
  double *numbers = channel_memory + controller_channels[index].first;
  for (uint8_t k = 0; k < controller_channels[index].count; k++, from += width(kind)) {
    if (kind == NUMBER_REAL)
      numbers[k] = (double)get_real(from);
    else if (kind == NUMBER_INT)
      numbers[k] = (double)get_i32(from);
    else
      numbers[k] = *from;
  }
}
