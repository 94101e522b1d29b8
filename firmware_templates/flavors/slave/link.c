/* The robot's end of the robot link: sessions, requests and replies. */
#include "link.h"

#include <stdbool.h>
#include <string.h>

#include "bytes.h"
#include "crc.h"
#include "entries.h"
#include "latch.h"
#include "link_messages.h"
#include "robot.h"
#include "samples.h"
#include "table.h"

#ifdef LINK_CONNECTIONS
#include "frame.h"
#define IS_FOREIGN frame_is_foreign()
#else
#define IS_FOREIGN false
#endif

static uint16_t session, sequence, watchdog; /* session 0: none */
static uint32_t client, last_request;
static bool enabled;

static uint8_t reply[LINK_MESSAGE]; /* kept for retransmission */
static uint16_t reply_size;

static const struct answer none = {0, 0};

/* Appends the checksum. */
static struct answer finish(uint8_t *start, uint8_t *end) {
  const uint16_t size = (uint16_t)(end - start);
  put_u32(end, crc32(start, size));
  return (struct answer){start, size + CHECK_BYTES};
}

/* Writes the table's hash and the build name, the end of some messages. */
static uint8_t *put_identity(uint8_t *to) {
  static const FLASH char build[] = LINK_BUILD;
  for (uint8_t k = 0; k < HASH_BYTES; k++) *to++ = table_hash[k];
  *to++ = sizeof build - 1;
  for (uint8_t k = 0; k < sizeof build - 1; k++) *to++ = (uint8_t)build[k];
  return to;
}

static struct answer refuse(uint8_t *out, uint16_t of_session, uint32_t of_client, uint16_t of_sequence,
                            uint8_t reason) {
  uint8_t *to = out;
  *to++ = LINK_REFUSAL;
  *to++ = LINK_VERSION;
  to = put_u16(to, of_session);
  to = put_u32(to, of_client);
  to = put_u16(to, of_sequence);
  *to++ = reason;
  return finish(out, put_identity(to));
}

static struct answer welcome(uint8_t *out) {
  uint8_t *to = out;
  *to++ = LINK_WELCOME;
  *to++ = LINK_VERSION;
  to = put_u16(to, session);
  to = put_u32(to, client);
  to = put_u32(to, LINK_MESSAGE);
  to = put_u32(to, LINK_MESSAGE);
  *to++ = LINK_REAL;
  *to++ = (uint8_t)(LINK_FLAGS | latch_cause() << LINK_FAULT_SHIFT);
  return finish(out, put_identity(to));
}

#ifdef LINK_CONNECTIONS
struct answer link_refuse(uint8_t *message, uint16_t size, uint8_t reason) {
  const bool is_hello = size > HELLO_HEAD && message[0] == LINK_HELLO;
  const bool is_request = size >= REQUEST_HEAD && message[0] == LINK_REQUEST;
  const uint16_t of_session = is_hello || is_request ? get_u16(message + 2) : 0;
  return refuse(message, of_session, is_hello ? get_u32(message + 4) : 0,
                is_request ? get_u16(message + 4) : 0, reason);
}

bool link_is_driven(void) { return session != 0; }
#endif

/* Resets to the state after power-up: sensors off, nothing staged. */
static void reset_session(void) {
  samples_reset();
  entries_unstage();
  reply_size = 0;
  enabled = false;
}

void link_end(void) {
  if (session == 0) return;
  session = sequence = 0;
  robot_stop();
  reset_session();
}

void link_tick(uint32_t now) {
  if (session != 0 && now - last_request > watchdog) link_end();
}

/* Sets the watchdog, limited so that no controller can disable it. */
static void set_watchdog(uint16_t ms) { watchdog = ms < MAX_WATCHDOG ? ms : MAX_WATCHDOG; }

static void begin_session(uint16_t new_session, uint32_t new_client, uint16_t new_watchdog, uint32_t now) {
  link_end();
  reset_session();
  session = new_session;
  client = new_client;
  set_watchdog(new_watchdog);
  sequence = 0;
  last_request = now;
}

static bool hash_equal(const uint8_t *hash) {
  for (uint8_t k = 0; k < HASH_BYTES; k++)
    if (hash[k] != table_hash[k]) return false;
  return true;
}

/* The reason to refuse a hello; 0: accepted. */
static uint8_t refusal_reason(const uint8_t *message, uint16_t received_session, uint32_t received_client) {
  if (message[1] != LINK_VERSION) return REFUSED_VERSION;
  if (!hash_equal(message + 10)) return REFUSED_TABLE;
  if (received_session == 0 || get_u16(message + 8) == 0) return REFUSED_MESSAGE;
  if (session != 0 && received_client != client) return REFUSED_BUSY;
  const uint16_t ahead = (uint16_t)(received_session - session);
  return session != 0 && (ahead >= 0x8000u || (ahead == 0 && IS_FOREIGN)) ? REFUSED_SESSION : 0;
}

static struct answer hello(uint8_t *message, uint16_t size, uint32_t now) {
  if (size <= HELLO_HEAD || message[HELLO_HEAD] != size - HELLO_HEAD - 1 || message[HELLO_HEAD] > MAX_BUILD)
    return none;
  const uint16_t received_session = get_u16(message + 2);
  const uint32_t received_client = get_u32(message + 4);
  const uint8_t reason = refusal_reason(message, received_session, received_client);
  if (reason != 0) return refuse(message, received_session, received_client, 0, reason);
  if (received_session != session) /* otherwise the welcome was lost; send it again */
    begin_session(received_session, received_client, get_u16(message + 8), now);
  return welcome(message);
}

/* True if the motors stay off whatever the controller says. */
static bool is_latched(void) { return latch_is_closed() || robot_is_blind(); }

/* Writes the reply and keeps it. `samples`: include pending samples. */
static struct answer make_reply(uint8_t flags, bool samples) {
  uint8_t *to = reply;
  *to++ = LINK_REPLY;
  *to++ = flags;
  to = put_u16(to, session);
  to = put_u16(to, sequence);
  to = put_u16(to, 0); /* delay: the robot answers at once */
  to = put_u32(to, robot_time());
  if (samples) {
    to = samples_put(to, LINK_MESSAGE - REPLY_HEAD - CHECK_BYTES);
    if (samples_are_pending()) reply[1] |= LINK_MORE;
  }
  if (is_latched()) reply[1] |= LINK_LATCHED;
  const struct answer answer = finish(reply, to);
  reply_size = answer.size;
  return answer;
}

static struct answer execute(uint8_t flags, uint16_t elapsed, const uint8_t *entries, uint16_t size) {
  uint16_t staged_size;
  const uint8_t *staged = entries_staged(&staged_size);
  entries_set_periods(staged, staged_size);
  entries_set_periods(entries, size);
  if (flags & LINK_ACKNOWLEDGE) latch_open();
  const bool enable = (flags & LINK_ENABLE) && !is_latched();
  if (enabled && !enable) robot_stop();
  enabled = enable;
  if (enabled) {
    entries_set_values(staged, staged_size);
    entries_set_values(entries, size);
  }
  entries_unstage();
  samples_advance(elapsed);
  robot_step(elapsed);
  return make_reply(samples_read() ? 0 : LINK_LOST, true);
}

static struct answer leave(void) {
  const struct answer answer = make_reply(0, false);
  link_end();
  return answer;
}

/* Executes a valid new request. */
static struct answer handle(const uint8_t *message, const uint8_t *entries, uint16_t size) {
  const uint8_t flags = message[1];
  if (flags & LINK_LEAVE) return leave();
  if (flags & LINK_CONTINUE) return make_reply(0, true);
  if (flags & LINK_PART) return make_reply(0, false);
  return execute(flags, get_u16(message + 6), entries, size);
}

static struct answer request(uint8_t *message, uint16_t size, uint32_t now) {
  if (size < REQUEST_HEAD) return none;
  const uint16_t received_session = get_u16(message + 2), received_sequence = get_u16(message + 4);
  if (session == 0 || received_session != session || IS_FOREIGN)
    return refuse(message, received_session, 0, received_sequence, REFUSED_SESSION);
  if (received_sequence == sequence) return reply_size > 0 ? (struct answer){reply, reply_size} : none;
  if (received_sequence != (uint16_t)(sequence + 1)) return none; /* an old request, delayed on the way */
  const uint8_t *entries = message + REQUEST_HEAD;
  const uint16_t left = size - REQUEST_HEAD;
  const uint8_t kept = message[1] & (LINK_PART | LINK_CONTINUE | LINK_LEAVE);
  if (get_u16(message + 8) == 0 || !entries_are_valid(entries, left) ||
      (kept == LINK_PART && !entries_stage(entries, left)))
    return refuse(message, received_session, 0, received_sequence, REFUSED_MESSAGE);
  sequence = received_sequence;
  last_request = now;
  set_watchdog(get_u16(message + 8));
  return handle(message, entries, left);
}

static struct answer read_table(uint8_t *message, uint16_t size) {
  if (size != READ_TABLE_BYTES) return none;
  const uint32_t offset = get_u32(message + 3);
  uint8_t *to = message;
  *to = LINK_TABLE_PART; /* session and offset are unchanged */
  to = put_u32(to + READ_TABLE_BYTES, LINK_TABLE_SIZE);
#if LINK_TABLE_SIZE
  for (uint32_t k = offset; k < LINK_TABLE_SIZE && to < message + LINK_MESSAGE - CHECK_BYTES; k++)
    *to++ = (uint8_t)table_text[k];
#else
  (void)offset;
#endif
  return finish(message, to);
}

struct answer link_receive(uint8_t *message, uint16_t size, uint32_t now) {
  link_tick(now);
  if (size <= CHECK_BYTES || crc32(message, size - CHECK_BYTES) != get_u32(message + size - CHECK_BYTES))
    return none;
  size -= CHECK_BYTES;
  switch (message[0]) {
    case LINK_HELLO: return hello(message, size, now);
    case LINK_REQUEST: return request(message, size, now);
    case LINK_READ_TABLE: return read_table(message, size);
    default: return none;
  }
}
