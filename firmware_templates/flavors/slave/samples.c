/* Samples of the sensors. A slot is due when the time stepped since it was set or last due reaches its
 * period. */
#include "samples.h"

#include <string.h>

#include "bytes.h"
#include "robot.h"
#include "table.h"

static uint16_t periods[TABLE_SLOTS + 1];
static uint32_t since_sample[TABLE_SLOTS + 1];

static uint8_t entries[SAMPLES_BYTES];
static uint16_t queued, sent;

void samples_set_period(uint16_t slot, uint16_t period) {
  periods[slot] = period;
  since_sample[slot] = 0;
  robot_set_period(slot, period);
}

void samples_reset(void) {
  for (uint16_t slot = 0; slot < TABLE_SLOTS; slot++)
    if (periods[slot] > 0) samples_set_period(slot, 0);
  queued = sent = 0;
}

void samples_advance(uint16_t elapsed) {
  for (uint16_t slot = 0; slot < TABLE_SLOTS; slot++)
    if (periods[slot] > 0) since_sample[slot] += elapsed;
}

/* Reads the sensors of a slot. */
static void read_slot(uint16_t slot) {
  for (uint16_t number = 0; number < TABLE_CHANNELS; number++) {
    if (table_channels[number].slot != slot || !(table_channels[number].flags & CHANNEL_DRIVEN)) continue;
    uint8_t value[ROBOT_VALUE_BYTES];
    const uint8_t size = robot_read(number, value);
    if (size == 0 || queued + size + 2u > sizeof entries) continue;
    put_u16(entries + queued, number);
    memcpy(entries + queued + 2, value, size);
    queued = (uint16_t)(queued + size + 2);
  }
}

bool samples_read(void) {
  const bool complete = !samples_are_pending();
  queued = sent = 0;
  for (uint16_t slot = 0; slot < TABLE_SLOTS; slot++) {
    if (periods[slot] == 0 || since_sample[slot] < periods[slot]) continue;
    since_sample[slot] %= periods[slot];
    read_slot(slot);
  }
  return complete;
}

/* Size of the entry at an offset. */
static uint16_t entry_size(uint16_t at) {
  const FLASH struct channel *channel = &table_channels[get_u16(entries + at)];
  if (channel->kind == NUMBER_VARYING) return (uint16_t)get_u32(entries + at + 2) + 6u;
  const uint16_t width = channel->kind == NUMBER_BOOL ? 1 : channel->kind == NUMBER_REAL ? LINK_REAL : 4;
  return (uint16_t)(channel->count * width + 2);
}

uint8_t *samples_put(uint8_t *to, uint16_t space) {
  while (samples_are_pending()) {
    const uint16_t size = entry_size(sent);
    if (size > space) break;
    memcpy(to, entries + sent, size);
    to += size;
    sent += size;
    space -= size;
  }
  return to;
}

bool samples_are_pending(void) { return sent < queued; }
