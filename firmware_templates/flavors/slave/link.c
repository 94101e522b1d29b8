/* The robot's end of the robot link: sessions, requests and replies. */
#include "link.h"

#include <stdbool.h>
#include <string.h>

#include "bytes.h"
#include "crc.h"
#include "entries.h"
#include "link_messages.h"
#include "robot.h"
#include "samples.h"
#include "table.h"

static uint16_t session, sequence, watchdog; /* session 0: there is none */
static uint32_t client, heard;
static bool enabled;

static uint8_t reply[LINK_MESSAGE]; /* kept: the controller asks for it again when it got lost */
static uint16_t reply_size;

static const struct answer none = {0, 0};

/* Finish a message with its check. */
static struct answer finished(uint8_t *start, uint8_t *end) {
  const uint16_t size = (uint16_t)(end - start);
  put_u32(end, crc32(start, size));
  return (struct answer){start, size + CHECK_BYTES};
}

/* The hash of the table and the name of this build: the end of some messages. */
static uint8_t *put_who(uint8_t *to) {
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
  return finished(out, put_who(to));
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
  *to++ = LINK_FLAGS;
  return finished(out, put_who(to));
}

/* Begin as after power-up: what lasts is told again in full. */
static void forget(void) {
  samples_forget();
  entries_unstage();
  reply_size = 0;
  enabled = false;
}

void link_end(void) {
  if (session == 0) return;
  session = sequence = 0;
  robot_stop();
  forget();
}

void link_tick(uint32_t now) {
  if (session != 0 && now - heard > watchdog) link_end();
}

/* Longer than this no controller makes the robot go on without it. */
static void watch_for(uint16_t ms) { watchdog = ms < WATCHDOG_MOST ? ms : WATCHDOG_MOST; }

static void begin(uint16_t new_session, uint32_t new_client, uint16_t new_watchdog, uint32_t now) {
  link_end();
  forget();
  session = new_session;
  client = new_client;
  watch_for(new_watchdog);
  sequence = 0;
  heard = now;
}

static bool hash_equal(const uint8_t *hash) {
  for (uint8_t k = 0; k < HASH_BYTES; k++)
    if (hash[k] != table_hash[k]) return false;
  return true;
}

/* Why a greeting is refused; 0: it is not. */
static uint8_t objection(const uint8_t *message, uint16_t its_session, uint32_t its_client) {
  if (message[1] != LINK_VERSION) return REFUSED_VERSION;
  if (!hash_equal(message + 10)) return REFUSED_TABLE;
  if (its_session == 0 || get_u16(message + 8) == 0) return REFUSED_MESSAGE;
  if (session != 0 && its_client != client) return REFUSED_BUSY;
  return session != 0 && (uint16_t)(its_session - session) >= 0x8000u ? REFUSED_SESSION : 0;
}

static struct answer hello(uint8_t *message, uint16_t size, uint32_t now) {
  if (size <= HELLO_HEAD || message[HELLO_HEAD] != size - HELLO_HEAD - 1 || message[HELLO_HEAD] > BUILD_MOST)
    return none;
  const uint16_t its_session = get_u16(message + 2);
  const uint32_t its_client = get_u32(message + 4);
  const uint8_t reason = objection(message, its_session, its_client);
  if (reason != 0) return refuse(message, its_session, its_client, 0, reason);
  if (its_session != session) /* the same one: its welcome got lost */
    begin(its_session, its_client, get_u16(message + 8), now);
  return welcome(message);
}

/* Write the reply and keep it. Waiting samples go with it where `samples` is true. */
static struct answer answered(uint8_t flags, bool samples) {
  uint8_t *to = reply;
  *to++ = LINK_REPLY;
  *to++ = flags;
  to = put_u16(to, session);
  to = put_u16(to, sequence);
  to = put_u16(to, 0); /* the robot is never late: it answers at once */
  to = put_u32(to, robot_time());
  if (samples) {
    to = samples_put(to, LINK_MESSAGE - REPLY_HEAD - CHECK_BYTES);
    if (samples_wait()) reply[1] |= LINK_MORE;
  }
  const struct answer answer = finished(reply, to);
  reply_size = answer.size;
  return answer;
}

static struct answer execute(uint8_t flags, uint16_t elapsed, const uint8_t *entries, uint16_t size) {
  uint16_t staged_size;
  const uint8_t *staged = entries_staged(&staged_size);
  entries_set_periods(staged, staged_size);
  entries_set_periods(entries, size);
  if (enabled && !(flags & LINK_ENABLE)) robot_stop();
  enabled = flags & LINK_ENABLE;
  if (enabled) {
    entries_set_values(staged, staged_size);
    entries_set_values(entries, size);
  }
  entries_unstage();
  samples_pass(elapsed);
  robot_step(elapsed);
  return answered(samples_take() ? 0 : LINK_LOST, true);
}

static struct answer leave(void) {
  const struct answer answer = answered(0, false);
  link_end();
  return answer;
}

/* Do what a right request with a new number says. */
static struct answer obey(const uint8_t *message, const uint8_t *entries, uint16_t size) {
  const uint8_t flags = message[1];
  if (flags & LINK_LEAVE) return leave();
  if (flags & LINK_CONTINUE) return answered(0, true);
  if (flags & LINK_PART) return answered(0, false);
  return execute(flags, get_u16(message + 6), entries, size);
}

static struct answer request(uint8_t *message, uint16_t size, uint32_t now) {
  if (size < REQUEST_HEAD) return none;
  const uint16_t its_session = get_u16(message + 2), its_sequence = get_u16(message + 4);
  if (session == 0 || its_session != session)
    return refuse(message, its_session, 0, its_sequence, REFUSED_SESSION);
  if (its_sequence == sequence) return reply_size > 0 ? (struct answer){reply, reply_size} : none;
  if (its_sequence != (uint16_t)(sequence + 1)) return none; /* an old one that has been under way for long */
  const uint8_t *entries = message + REQUEST_HEAD;
  const uint16_t left = size - REQUEST_HEAD;
  const uint8_t kept = message[1] & (LINK_PART | LINK_CONTINUE | LINK_LEAVE);
  if (get_u16(message + 8) == 0 || !entries_right(entries, left) ||
      (kept == LINK_PART && !entries_stage(entries, left)))
    return refuse(message, its_session, 0, its_sequence, REFUSED_MESSAGE);
  sequence = its_sequence;
  heard = now;
  watch_for(get_u16(message + 8));
  return obey(message, entries, left);
}

static struct answer read_table(uint8_t *message, uint16_t size) {
  if (size != READ_TABLE_BYTES) return none;
  const uint32_t offset = get_u32(message + 3);
  uint8_t *to = message;
  *to = LINK_TABLE_PART; /* the session and the offset stay where they are */
  to = put_u32(to + READ_TABLE_BYTES, LINK_TABLE_SIZE);
#if LINK_TABLE_SIZE
  for (uint32_t k = offset; k < LINK_TABLE_SIZE && to < message + LINK_MESSAGE - CHECK_BYTES; k++)
    *to++ = (uint8_t)table_text[k];
#else
  (void)offset;
#endif
  return finished(message, to);
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
