/* Samples of the sensors. A slot is due when the steps since it was set or last due reach its period. */
#include "samples.h"

#include <string.h>

#include "bytes.h"
#include "robot.h"
#include "table.h"

static uint16_t periods[TABLE_SLOTS + 1];
static uint32_t waited[TABLE_SLOTS + 1];

static uint8_t entries[SAMPLES_BYTES];
static uint16_t filled, sent;

void samples_set_period(uint16_t slot, uint16_t period) {
  periods[slot] = period;
  waited[slot] = 0;
  robot_set_period(slot, period);
}

void samples_forget(void) {
  for (uint16_t slot = 0; slot < TABLE_SLOTS; slot++)
    if (periods[slot] > 0) samples_set_period(slot, 0);
  filled = sent = 0;
}

void samples_pass(uint16_t elapsed) {
  for (uint16_t slot = 0; slot < TABLE_SLOTS; slot++)
    if (periods[slot] > 0) waited[slot] += elapsed;
}

/* Read the sensors of a slot. */
static void take_slot(uint16_t slot) {
  for (uint16_t number = 0; number < TABLE_CHANNELS; number++) {
    if (table_channels[number].slot != slot || !(table_channels[number].flags & CHANNEL_DRIVEN)) continue;
    uint8_t value[ROBOT_VALUE_BYTES];
    const uint8_t size = robot_read(number, value);
    if (size == 0 || filled + size + 2u > sizeof entries) continue;
    put_u16(entries + filled, number);
    memcpy(entries + filled + 2, value, size);
    filled = (uint16_t)(filled + size + 2);
  }
}

bool samples_take(void) {
  const bool complete = !samples_wait();
  filled = sent = 0;
  for (uint16_t slot = 0; slot < TABLE_SLOTS; slot++) {
    if (periods[slot] == 0 || waited[slot] < periods[slot]) continue;
    waited[slot] %= periods[slot];
    take_slot(slot);
  }
  return complete;
}

/* Bytes of the entry at a place. */
static uint16_t entry_size(uint16_t at) {
  const FLASH struct channel *channel = &table_channels[get_u16(entries + at)];
  if (channel->kind == NUMBER_VARYING) return (uint16_t)get_u32(entries + at + 2) + 6u;
  const uint16_t width = channel->kind == NUMBER_BOOL ? 1 : channel->kind == NUMBER_REAL ? LINK_REAL : 4;
  return (uint16_t)(channel->count * width + 2);
}

uint8_t *samples_put(uint8_t *to, uint16_t room) {
  while (samples_wait()) {
    const uint16_t size = entry_size(sent);
    if (size > room) break;
    memcpy(to, entries + sent, size);
    to += size;
    sent += size;
    room -= size;
  }
  return to;
}

bool samples_wait(void) { return sent < filled; }
