/* The link over TCP: a server for several controllers, one of which drives. Each message has its size before
 * it.
 *
 * For the main loop a message counts as one byte: board_read_byte() tells that one is there, frame_take()
 * takes it. */
#include <string.h>

#include "channel.h"
#include "secrets.h"

extern "C" {
#include "board.h"
#include "bytes.h"
#include "crc.h"
#include "frame.h"
#include "guesses.h"
#include "link.h"
#include "link_messages.h"
}

#ifdef LINK_TLS
#define PLACES 3 /* each takes 20 kB of memory */
#else
#define PLACES 4
#endif
#define ACCEPT_MS 1000UL /* between two handshakes while a controller drives: they delay it */
#define SIZE_BYTES 4
#define MAX_SILENCE 10000UL /* ms of a controller that does not drive */
#define MAX_REFUSALS 16

struct place {
  struct channel channel;
  bool taken, admitted, guessed;
  uint32_t address;
  uint8_t refusals;
  uint32_t heard; /* ms */
  uint16_t filled;
  uint8_t data[SIZE_BYTES + LINK_MESSAGE];
};

uint8_t frame_message[LINK_MESSAGE + 2];

static WiFiServer server(LINK_PORT);
static place places[PLACES];
static place *driver, *sender;
static bool driver_is_gone;

static bool drives(const place &one) { return &one == driver && link_is_driven(); }

static void let_go(place &one) {
  channel_close(one.channel);
  one.taken = false;
  if (&one != driver) return;
  driver = nullptr;
  driver_is_gone = true;
}

/* A free place, or that of the controller that has been silent longest, never of the one that drives. */
static place &place_for_another() {
  place *found = nullptr;
  for (place &one : places) {
    if (!one.taken) return one;
    if (!drives(one) && (found == nullptr || (int32_t)(one.heard - found->heard) < 0)) found = &one;
  }
  let_go(*found);
  return *found;
}

static void accept_one() {
#ifdef LINK_TLS
  static uint32_t last;
  if (link_is_driven() && millis() - last < ACCEPT_MS) return;
#endif
  WiFiClient client = server.accept();
  if (!client) return;
#ifdef LINK_TLS
  last = millis();
#endif
  client.setNoDelay(true);
  place &one = place_for_another();
  channel_open(one.channel, client);
  one.address = client.remoteIP();
  one.taken = true;
  one.admitted = sizeof ROBOT_TOKEN == 1;
  one.guessed = false;
  one.refusals = 0;
  one.heard = millis();
  one.filled = 0;
}

/* Bytes of the message that has begun, with its size; the size alone as long as it is unknown. */
static uint32_t bytes_wanted(const place &one) {
  return one.filled < SIZE_BYTES ? SIZE_BYTES : SIZE_BYTES + get_u32(one.data);
}

static bool is_complete(const place &one) {
  return one.taken && one.filled > SIZE_BYTES && one.filled == bytes_wanted(one);
}

static bool send_message(place &one, const uint8_t *message, uint16_t size) {
  static uint8_t out[SIZE_BYTES + LINK_MESSAGE];
  memcpy(put_u32(out, size), message, size);
  return channel_send(one.channel, out, SIZE_BYTES + size);
}

/* Compares all bytes in any case, so that the time does not tell how many are right. */
static bool is_token(const uint8_t *data, uint16_t size) {
  uint8_t different = size != sizeof ROBOT_TOKEN - 1;
  for (uint16_t k = 0; k < size && k < sizeof ROBOT_TOKEN - 1; k++)
    different |= data[k] ^ (uint8_t)ROBOT_TOKEN[k];
  return different == 0;
}

/* Looks at the first message of a controller, which must be the token. It waits while its address may not
 * guess: so who guesses from the address of the robot's owner does not shut them out. */
static void admit(place &one) {
  const uint8_t *message = one.data + SIZE_BYTES;
  const uint16_t size = one.filled - SIZE_BYTES;
  const bool is_whole =
      size > CHECK_BYTES && crc32(message, size - CHECK_BYTES) == get_u32(message + size - CHECK_BYTES);
  if (is_whole && message[0] == LINK_TOKEN && !one.guessed) {
    if (!guess_is_allowed(one.address, millis())) return;
    one.admitted = is_token(message + 1, size - CHECK_BYTES - 1);
    one.guessed = true;
    one.filled = 0;
    guess_was(one.admitted, one.address, millis());
    return; /* a wrong token is refused with the next message, by which the controller recognizes the refusal
             */
  }
  const struct answer answer = link_refuse(one.data + SIZE_BYTES, is_whole ? size : 0, REFUSED_TOKEN);
  send_message(one, answer.data, answer.size);
  let_go(one);
}

static void receive(place &one) {
  int got = 0;
  while (!is_complete(one)) {
    got = channel_read(one.channel, one.data + one.filled, bytes_wanted(one) - one.filled);
    if (got <= 0) break;
    one.filled += (uint16_t)got;
    one.heard = millis();
    if (one.filled == SIZE_BYTES && (get_u32(one.data) == 0 || get_u32(one.data) > LINK_MESSAGE)) {
      let_go(one); /* the start of the next message is unknown */
      return;
    }
    if (is_complete(one) && !one.admitted) {
      admit(one);
      if (!one.taken) return;
    }
  }
  const bool is_idle = !drives(one) && millis() - one.heard > MAX_SILENCE;
  if (!is_complete(one) && (is_idle || got < 0)) let_go(one);
}

static void serve() {
  if (!network_is_up()) {
    for (place &one : places)
      if (one.taken) let_go(one);
    return;
  }
  if (network_has_come_up()) server.begin();
  accept_one();
  static uint8_t first; /* each has its turn to guess */
  first = (uint8_t)((first + 1) % PLACES);
  for (uint8_t k = 0; k < PLACES; k++) {
    place &one = places[(first + k) % PLACES];
    if (is_complete(one) && !one.admitted) admit(one);
    if (one.taken && !is_complete(one)) receive(one);
  }
}

extern "C" int16_t board_read_byte(void) {
  static uint8_t turn, taken;
  serve();
  if (driver_is_gone) {
    driver_is_gone = false;
    return BOARD_DISCONNECTED;
  }
  for (uint8_t k = 0; k < PLACES && taken < PLACES; k++) {
    turn = (uint8_t)((turn + 1) % PLACES);
    if (!is_complete(places[turn]) || !places[turn].admitted) continue;
    taken++;
    sender = &places[turn];
    return 0;
  }
  taken = 0; /* the drivers have their turn, however many messages come */
  return BOARD_NO_BYTE;
}

extern "C" uint16_t frame_take(uint8_t byte) {
  (void)byte;
  const uint16_t size = sender->filled - SIZE_BYTES;
  memcpy(frame_message, sender->data + SIZE_BYTES, size);
  sender->filled = 0;
  return size;
}

extern "C" void frame_reset(void) {}

extern "C" bool frame_is_foreign(void) { return sender != driver; }

extern "C" void frame_send(const uint8_t *message, uint16_t size) {
  if (message[0] == LINK_WELCOME) driver = sender;
  if (message[0] == LINK_REFUSAL) sender->refusals++;
  const bool is_nuisance = sender->refusals >= MAX_REFUSALS && !drives(*sender);
  if (!send_message(*sender, message, size) || is_nuisance) let_go(*sender);
}
