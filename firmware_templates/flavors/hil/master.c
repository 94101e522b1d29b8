/* The controller's end of the robot link: hello, requests, replies. */
#include "master.h"

#include <string.h>

#include "bytes.h"
#include "channels.h"
#include "crc.h"
#include "link_messages.h"
#include "packets.h"
#include "table.h"

#define CLIENT 0x6C696868UL /* of boards without random numbers: such a board is alone at its wire */
#define PERIOD_ENTRY 4

static uint32_t client;
static uint16_t session, sequence;
static uint16_t room; /* for entries in a request */
static uint8_t message_out[LINK_MESSAGE];
static bool untold_periods[REACHED_PERIODS + 1];
static bool greeting, more, parts;
static uint16_t delay;
static uint32_t clock_ms;

static struct outgoing finished(uint8_t *end) {
  const uint16_t size = (uint16_t)(end - message_out);
  put_u32(end, crc32(message_out, size));
  return (struct outgoing){message_out, size + CHECK_BYTES};
}

void master_start(uint32_t number, uint16_t last_session) {
  client = number != 0 ? number : CLIENT;
  session = last_session;
}

struct outgoing master_hello(void) {
  static const FLASH char build[] = LINK_BUILD;
  session = session == UINT16_MAX ? 1 : session + 1;
  greeting = true;
  uint8_t *to = message_out;
  *to++ = LINK_HELLO;
  *to++ = LINK_VERSION;
  to = put_u16(to, session);
  to = put_u32(to, client);
  to = put_u16(to, LINK_WATCHDOG);
  for (uint8_t k = 0; k < HASH_BYTES; k++) *to++ = table_hash[k];
  *to++ = sizeof build - 1;
  for (uint8_t k = 0; k < sizeof build - 1; k++) *to++ = (uint8_t)build[k];
  return finished(to);
}

static uint8_t *head(uint8_t flags, uint16_t elapsed) {
  uint8_t *to = message_out;
  *to++ = LINK_REQUEST;
  *to++ = flags;
  to = put_u16(to, session);
  to = put_u16(to, ++sequence);
  to = put_u16(to, elapsed);
  return put_u16(to, LINK_WATCHDOG);
}

/* Write sampling periods that the robot does not know. */
static uint8_t *put_periods(uint8_t *to, const uint8_t *end) {
  for (uint8_t k = 0; k != REACHED_PERIODS && end - to >= PERIOD_ENTRY; k++) {
    if (!untold_periods[k]) continue;
    untold_periods[k] = false;
    to = put_u16(put_u16(to, period_slots[k] | PERIOD_BIT), period_at(k));
  }
  return to;
}

/* Write commands that the robot does not know, as many as have room. */
static uint8_t *put_commands(uint8_t *to, const uint8_t *end) {
  for (uint8_t place; (place = channels_untold()) != NO_PLACE; channels_told(place)) {
    if (end - to < channel_bytes(place) + 2) break;
    to = channel_put(place, put_u16(to, reached[place].channel));
  }
  return to;
}

/* Write packets that the robot does not know, as many as have room. One that never has is lost. */
static uint8_t *put_packets(uint8_t *to, const uint8_t *end) {
  for (struct waiting_packet one; (one = packets_untold()).place != NO_PLACE; packets_told()) {
    if (one.bytes + 2u > room) continue;
    if ((uint16_t)(end - to) < one.bytes + 2u) break;
    to = put_u16(to, reached[one.place].channel);
    memcpy(to, one.value, one.bytes);
    to += one.bytes;
  }
  return to;
}

static bool is_period_untold(void) {
  for (uint8_t k = 0; k != REACHED_PERIODS; k++)
    if (untold_periods[k]) return true;
  return false;
}

struct outgoing master_request(uint16_t elapsed) {
  uint8_t *to = head(LINK_ENABLE, elapsed);
  const uint8_t *end = to + room;
  to = put_periods(to, end);
  if (!is_period_untold()) to = put_commands(to, end);
  if (!is_period_untold() && channels_untold() == NO_PLACE) to = put_packets(to, end);
  parts = is_period_untold() || channels_untold() != NO_PLACE || packets_untold().place != NO_PLACE;
  if (parts) {
    message_out[1] |= LINK_PART;
    put_u16(message_out + 6, 0); /* no time passes yet */
  }
  return finished(to);
}

bool master_has_parts(void) { return parts; }

struct outgoing master_continue(void) { return finished(head(LINK_CONTINUE, 0)); }

struct outgoing master_leave(void) { return finished(head(LINK_LEAVE, 0)); }

void master_period(uint8_t period) { untold_periods[period] = true; }

/* A session has begun: the robot knows nothing. */
static void begin(uint32_t request_limit) {
  const uint16_t largest = request_limit < LINK_MESSAGE ? (uint16_t)request_limit : LINK_MESSAGE;
  room = largest - REQUEST_HEAD - CHECK_BYTES;
  sequence = 0;
  parts = more = false;
  for (uint8_t k = 0; k != REACHED_PERIODS; k++) untold_periods[k] = period_at(k) > 0;
  channels_renew();
  packets_renew();
}

static enum master_news welcome(const uint8_t *message, uint16_t size) {
  if (!greeting || size < WELCOME_HEAD || get_u32(message + 4) != client || get_u16(message + 2) != session)
    return MASTER_NOTHING; /* or the same once more, late */
  if (get_u32(message + 12) > LINK_MESSAGE || message[16] != LINK_REAL)
    return MASTER_REFUSED; /* its replies have no room here */
  greeting = false;
  channels_repeat(message[17] & LINK_VIRTUAL);
  begin(get_u32(message + 8));
  return MASTER_WELCOME;
}

static enum master_news refusal(const uint8_t *message, uint16_t size) {
  if (size < REFUSAL_HEAD || get_u16(message + 2) != session) return MASTER_NOTHING;
  return message[10] == REFUSED_SESSION ? MASTER_SESSION_ENDED : MASTER_REFUSED;
}

/* Bytes of a channel's value of which `left` bytes are left; -1: it is cut off. */
static int32_t value_bytes(const FLASH struct channel *channel, const uint8_t *value, uint16_t left) {
  const uint8_t kind = channel->kind;
  uint32_t bytes = channel->count;
  if (kind == NUMBER_VARYING && (left < 4 || get_u32(value) > left - 4u)) return -1;
  if (kind == NUMBER_VARYING)
    bytes = 4 + get_u32(value);
  else if (kind == NUMBER_REAL)
    bytes *= LINK_REAL;
  else if (kind == NUMBER_INT || kind == NUMBER_FLOAT)
    bytes *= 4;
  return bytes > left ? -1 : (int32_t)bytes;
}

/* The place of a channel that is sensed; NO_PLACE: the controller cannot reach it. */
static uint8_t place_of(uint16_t number) {
  for (uint8_t place = REACHED_ACTS; place != REACHED; place++)
    if (reached[place].channel == number) return place;
  return NO_PLACE;
}

static void take_samples(const uint8_t *entry, uint16_t left) {
  while (left > 2) {
    const uint16_t number = get_u16(entry);
    if (number >= TABLE_CHANNELS) return;
    const int32_t bytes = value_bytes(&table_channels[number], entry + 2, left - 2);
    if (bytes < 0) return;
    const uint8_t place = place_of(number);
    if (place != NO_PLACE) channel_take(place, entry + 2);
    entry += bytes + 2;
    left -= (uint16_t)(bytes + 2);
  }
}

static enum master_news reply(const uint8_t *message, uint16_t size) {
  if (size < REPLY_HEAD || get_u16(message + 2) != session || get_u16(message + 4) != sequence)
    return MASTER_NOTHING;
  more = message[1] & LINK_MORE;
  if (!parts) packets_arrived();
  delay = get_u16(message + 6);
  clock_ms = get_u32(message + 8);
  take_samples(message + REPLY_HEAD, size - REPLY_HEAD);
  return MASTER_REPLY;
}

enum master_news master_take(const uint8_t *message, uint16_t size) {
  if (size <= CHECK_BYTES || crc32(message, size - CHECK_BYTES) != get_u32(message + size - CHECK_BYTES))
    return MASTER_NOTHING;
  size -= CHECK_BYTES;
  switch (message[0]) {
    case LINK_WELCOME: return welcome(message, size);
    case LINK_REFUSAL: return refusal(message, size);
    case LINK_REPLY: return reply(message, size);
    default: return MASTER_NOTHING;
  }
}

bool master_more(void) { return more; }

uint32_t master_time(void) { return clock_ms; }

uint16_t master_delay(void) { return delay; }
