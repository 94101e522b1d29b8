/* Entries of requests. All entries are checked before the first one is executed. */
#include "entries.h"

#include <string.h>

#include "bytes.h"
#include "link_messages.h"
#include "robot.h"
#include "samples.h"
#include "table.h"

static uint8_t stage[STAGE_BYTES];
static uint16_t staged;

/* Size of one number in bytes. */
static uint8_t number_bytes(uint8_t kind) {
  switch (kind) {
    case NUMBER_REAL: return LINK_REAL;
    case NUMBER_INT:
    case NUMBER_FLOAT: return 4;
    default: return 1;
  }
}

static bool is_nan(uint8_t kind, const uint8_t *from) {
  uint32_t bits = get_u32(from);
  uint32_t largest = 0x7F800000u;
  if (kind == NUMBER_REAL && LINK_REAL == 8) {
    bits = get_u32(from + LINK_REAL - 4);
    largest = 0x7FF00000u - (get_u32(from) != 0);
  }
  return (bits & 0x7FFFFFFFu) > largest;
}

/* True if the numbers of a value are valid: booleans are 0 or 1, reals are not NaN. */
static bool is_valid_value(const FLASH struct channel *channel, const uint8_t *value) {
  const uint8_t kind = channel->kind;
  for (uint16_t k = 0; k < channel->count; k++, value += number_bytes(kind))
    if ((kind == NUMBER_BOOL && *value > 1) ||
        ((kind == NUMBER_REAL || kind == NUMBER_FLOAT) && is_nan(kind, value)))
      return false;
  return true;
}

/* Size of a channel's value in bytes, with `left` bytes available; -1 if it is truncated. */
static int32_t value_bytes(const FLASH struct channel *channel, const uint8_t *value, uint16_t left) {
  uint32_t bytes = (uint32_t)channel->count * number_bytes(channel->kind);
  if (channel->kind == NUMBER_VARYING) {
    if (left < 4 || get_u32(value) > (uint32_t)(left - 4)) return -1;
    bytes = 4 + get_u32(value);
  }
  return bytes > left ? -1 : (int32_t)bytes;
}

/* Size of the first entry in bytes; 0 if it is invalid. */
static uint16_t entry_bytes(const uint8_t *entry, uint16_t left) {
  if (left < 2) return 0;
  const uint16_t number = get_u16(entry);
  if (number & PERIOD_BIT) return (number & ~PERIOD_BIT) < TABLE_SLOTS && left >= 4 ? 4 : 0;
  if (number >= TABLE_CHANNELS || !(table_channels[number].flags & CHANNEL_ACT)) return 0;
  const FLASH struct channel *channel = &table_channels[number];
  const int32_t bytes = value_bytes(channel, entry + 2, left - 2);
  return bytes < 0 || !is_valid_value(channel, entry + 2) ? 0 : (uint16_t)(bytes + 2);
}

bool entries_are_valid(const uint8_t *data, uint16_t size) {
  while (size > 0) {
    const uint16_t bytes = entry_bytes(data, size);
    if (bytes == 0) return false;
    data += bytes;
    size -= bytes;
  }
  return true;
}

void entries_set_periods(const uint8_t *data, uint16_t size) {
  for (uint16_t bytes; size > 0; data += bytes, size -= bytes) {
    bytes = entry_bytes(data, size);
    const uint16_t number = get_u16(data);
    if (number & PERIOD_BIT) samples_set_period(number & (uint16_t)~PERIOD_BIT, get_u16(data + 2));
  }
}

void entries_set_values(const uint8_t *data, uint16_t size) {
  for (uint16_t bytes; size > 0; data += bytes, size -= bytes) {
    bytes = entry_bytes(data, size);
    const uint16_t number = get_u16(data);
    if (!(number & PERIOD_BIT) && table_channels[number].flags & CHANNEL_DRIVEN) robot_set(number, data + 2);
  }
}

bool entries_stage(const uint8_t *data, uint16_t size) {
  const uint16_t before = staged;
  for (uint16_t bytes; size > 0; data += bytes, size -= bytes) {
    bytes = entry_bytes(data, size);
    const uint16_t number = get_u16(data);
    if (!(number & PERIOD_BIT) && !(table_channels[number].flags & CHANNEL_DRIVEN)) continue;
    if (bytes > sizeof stage - staged) {
      staged = before;
      return false;
    }
    memcpy(stage + staged, data, bytes);
    staged += bytes;
  }
  return true;
}

const uint8_t *entries_staged(uint16_t *size) {
  *size = staged;
  return stage;
}

void entries_unstage(void) { staged = 0; }
