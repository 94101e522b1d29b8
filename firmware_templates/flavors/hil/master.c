/* The controller's end of the robot link: hello, requests, replies. */
#include "master.h"

#include <string.h>

#include "bytes.h"
#include "channels.h"
#include "crc.h"
#include "link_messages.h"
#include "packets.h"
#include "table.h"

#define DEFAULT_CLIENT \
  0x6C696868UL /* for boards without a random source, which are the only client on their wire */
#define PERIOD_ENTRY 4

static uint32_t client;
static uint16_t session, sequence;
static uint16_t entry_space; /* bytes for the entries of a request */
static uint8_t message_out[LINK_MESSAGE];
static bool pending_periods[CONTROLLER_PERIODS + 1];
static bool hello_pending, more, parts;
static uint16_t delay;
static uint32_t clock_ms;

static struct outgoing finish(uint8_t *end) {
  const uint16_t size = (uint16_t)(end - message_out);
  put_u32(end, crc32(message_out, size));
  return (struct outgoing){message_out, size + CHECK_BYTES};
}

void master_start(uint32_t number, uint16_t last_session) {
  client = number != 0 ? number : DEFAULT_CLIENT;
  session = last_session;
}

struct outgoing master_hello(void) {
  static const FLASH char build[] = LINK_BUILD;
  session = session == UINT16_MAX ? 1 : session + 1;
  hello_pending = true;
  uint8_t *to = message_out;
  *to++ = LINK_HELLO;
  *to++ = LINK_VERSION;
  to = put_u16(to, session);
  to = put_u32(to, client);
  to = put_u16(to, LINK_WATCHDOG);
  for (uint8_t k = 0; k < HASH_BYTES; k++) *to++ = table_hash[k];
  *to++ = sizeof build - 1;
  for (uint8_t k = 0; k < sizeof build - 1; k++) *to++ = (uint8_t)build[k];
  return finish(to);
}

static uint8_t *put_request_head(uint8_t flags, uint16_t elapsed) {
  uint8_t *to = message_out;
  *to++ = LINK_REQUEST;
  *to++ = flags;
  to = put_u16(to, session);
  to = put_u16(to, ++sequence);
  to = put_u16(to, elapsed);
  return put_u16(to, LINK_WATCHDOG);
}

/* Writes pending sampling periods. */
static uint8_t *put_periods(uint8_t *to, const uint8_t *end) {
  for (uint8_t k = 0; k != CONTROLLER_PERIODS && end - to >= PERIOD_ENTRY; k++) {
    if (!pending_periods[k]) continue;
    pending_periods[k] = false;
    to = put_u16(put_u16(to, period_slots[k] | PERIOD_BIT), period_at(k));
  }
  return to;
}

/* Writes as many pending commands as fit. */
static uint8_t *put_commands(uint8_t *to, const uint8_t *end) {
  for (uint8_t index; (index = channels_next_pending()) != NO_INDEX; channels_mark_sent(index)) {
    if (end - to < channel_bytes(index) + 2) break;
    to = channel_put(index, put_u16(to, controller_channels[index].channel));
  }
  return to;
}

/* Writes as many pending packets as fit. Discards packets that fit into no request. */
static uint8_t *put_packets(uint8_t *to, const uint8_t *end) {
  for (struct pending_packet packet; (packet = packets_next_pending()).index != NO_INDEX;
       packets_mark_sent()) {
    if (packet.bytes + 2u > entry_space) continue;
    if ((uint16_t)(end - to) < packet.bytes + 2u) break;
    to = put_u16(to, controller_channels[packet.index].channel);
    memcpy(to, packet.value, packet.bytes);
    to += packet.bytes;
  }
  return to;
}

static bool has_pending_period(void) {
  for (uint8_t k = 0; k != CONTROLLER_PERIODS; k++)
    if (pending_periods[k]) return true;
  return false;
}

struct outgoing master_request(uint16_t elapsed) {
  uint8_t *to = put_request_head(LINK_ENABLE, elapsed);
  const uint8_t *end = to + entry_space;
  to = put_periods(to, end);
  if (!has_pending_period()) to = put_commands(to, end);
  if (!has_pending_period() && channels_next_pending() == NO_INDEX) to = put_packets(to, end);
  parts =
      has_pending_period() || channels_next_pending() != NO_INDEX || packets_next_pending().index != NO_INDEX;
  if (parts) {
    message_out[1] |= LINK_PART;
    put_u16(message_out + 6, 0); /* no time passes yet */
  }
  return finish(to);
}

bool master_has_parts(void) { return parts; }

struct outgoing master_continue(void) { return finish(put_request_head(LINK_CONTINUE, 0)); }

struct outgoing master_leave(void) { return finish(put_request_head(LINK_LEAVE, 0)); }

void master_period(uint8_t period) { pending_periods[period] = true; }

/* Begins a session, in which everything must be sent again. */
static void begin_session(uint32_t request_limit) {
  const uint16_t largest = request_limit < LINK_MESSAGE ? (uint16_t)request_limit : LINK_MESSAGE;
  entry_space = largest - REQUEST_HEAD - CHECK_BYTES;
  sequence = 0;
  parts = more = false;
  for (uint8_t k = 0; k != CONTROLLER_PERIODS; k++) pending_periods[k] = period_at(k) > 0;
  channels_resend();
  packets_resend();
}

static enum master_event welcome(const uint8_t *message, uint16_t size) {
  if (!hello_pending || size < WELCOME_HEAD || get_u32(message + 4) != client ||
      get_u16(message + 2) != session)
    return MASTER_NONE; /* also if the same welcome arrives twice */
  if (get_u32(message + 12) > LINK_MESSAGE || message[16] != LINK_REAL)
    return MASTER_REFUSED; /* its replies would not fit into the buffer */
  hello_pending = false;
  channels_send_repeats(message[17] & LINK_VIRTUAL);
  begin_session(get_u32(message + 8));
  return MASTER_WELCOME;
}

static enum master_event refusal(const uint8_t *message, uint16_t size) {
  if (size < REFUSAL_HEAD || get_u16(message + 2) != session) return MASTER_NONE;
  return message[10] == REFUSED_SESSION ? MASTER_SESSION_ENDED : MASTER_REFUSED;
}

/* Size of a channel's value in bytes, with `left` bytes available; -1 if it is truncated. */
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

/* The index of a sensor channel; NO_INDEX if the controller does not use it. */
static uint8_t index_of(uint16_t number) {
  for (uint8_t index = CONTROLLER_COMMANDS; index != CONTROLLER_CHANNELS; index++)
    if (controller_channels[index].channel == number) return index;
  return NO_INDEX;
}

static void take_samples(const uint8_t *entry, uint16_t left) {
  while (left > 2) {
    const uint16_t number = get_u16(entry);
    if (number >= TABLE_CHANNELS) return;
    const int32_t bytes = value_bytes(&table_channels[number], entry + 2, left - 2);
    if (bytes < 0) return;
    const uint8_t index = index_of(number);
    if (index != NO_INDEX) channel_take(index, entry + 2);
    entry += bytes + 2;
    left -= (uint16_t)(bytes + 2);
  }
}

static enum master_event reply(const uint8_t *message, uint16_t size) {
  if (size < REPLY_HEAD || get_u16(message + 2) != session || get_u16(message + 4) != sequence)
    return MASTER_NONE;
  more = message[1] & LINK_MORE;
  if (!parts) packets_acknowledge();
  delay = get_u16(message + 6);
  clock_ms = get_u32(message + 8);
  take_samples(message + REPLY_HEAD, size - REPLY_HEAD);
  return MASTER_REPLY;
}

enum master_event master_take(const uint8_t *message, uint16_t size) {
  if (size <= CHECK_BYTES || crc32(message, size - CHECK_BYTES) != get_u32(message + size - CHECK_BYTES))
    return MASTER_NONE;
  size -= CHECK_BYTES;
  switch (message[0]) {
    case LINK_WELCOME: return welcome(message, size);
    case LINK_REFUSAL: return refusal(message, size);
    case LINK_REPLY: return reply(message, size);
    default: return MASTER_NONE;
  }
}

bool master_more(void) { return more; }

uint32_t master_time(void) { return clock_ms; }

uint16_t master_delay(void) { return delay; }
