/* What the controller prints, over TCP: it goes to the serial line, and to one program on the network, which
 * must send the token as its first line. The controller never waits for the network. */
#include <Arduino.h>
#include <string.h>

#include "network.h"
#include "secrets.h"

extern "C" {
#include "board.h"
#include "config.h"
#include "guesses.h"
}

#define ROOM 2048          /* bytes that wait for the network; a power of two */
#define PATIENCE_MS 5000UL /* for a program to send the token */
#define LOST "wbridge: text was lost, as the network is too slow\n"

static WiFiServer server(LINK_PORT);
static WiFiClient reader, guest; /* `guest` has not sent the token yet */
static bool has_reader, has_guest;
static char token[sizeof ROBOT_TOKEN];
static uint8_t token_size;
static uint32_t guest_since, guest_address;

static uint8_t ring[ROOM];
static uint16_t filled_to, sent_to;
static bool is_losing, at_line_start = true;

static bool has_room(uint16_t size) { return (uint16_t)(filled_to - sent_to) + size <= ROOM; }

static void keep(const char *text) {
  for (; *text; text++) ring[filled_to++ % ROOM] = (uint8_t)*text;
}

/* Keeps whole lines only: after a loss it goes on at the begin of a line. */
static void keep_byte(uint8_t byte) {
  if (is_losing && at_line_start && has_room(sizeof LOST)) {
    keep(LOST);
    is_losing = false;
  }
  if (is_losing || !has_room(2)) {
    if (!is_losing && has_room(1)) ring[filled_to++ % ROOM] = '\n';
    is_losing = true;
  } else {
    ring[filled_to++ % ROOM] = byte;
  }
  at_line_start = byte == '\n';
}

/* Compares all characters in any case, so that the time does not tell how many are right. */
static bool is_right() {
  uint8_t different = token_size != sizeof ROBOT_TOKEN - 1;
  for (uint8_t k = 0; k < sizeof ROBOT_TOKEN - 1; k++) different |= (uint8_t)(token[k] ^ ROBOT_TOKEN[k]);
  return different == 0;
}

static void admit_guest() {
  if (has_reader) reader.stop(); /* perhaps it is gone and the network has not told */
  reader = guest;
  has_reader = true;
  has_guest = false;
  sent_to = filled_to; /* what is older was for others */
  is_losing = false;
}

static void refuse_guest() {
  guest.stop();
  has_guest = false;
}

/* Takes what the guest sends, up to the end of its first line. */
static void hear_guest() {
  while (has_guest && guest.available() > 0) {
    uint8_t byte;
    if (guest.read(&byte, 1) != 1 || byte == '\r') continue;
    if (byte != '\n' && token_size < sizeof token) {
      token[token_size++] = (char)byte; /* a token that is too long has one character too many */
      continue;
    }
    const bool may_guess = guess_is_allowed(guest_address, millis());
    const bool is_admitted = byte == '\n' && may_guess && is_right();
    if (may_guess) guess_was(is_admitted, guest_address, millis());
    if (is_admitted) {
      admit_guest();
      return;
    }
    refuse_guest();
  }
  if (has_guest && (!guest.connected() || millis() - guest_since > PATIENCE_MS)) refuse_guest();
}

static void accept_guest() {
  WiFiClient client = server.accept();
  if (!client) return;
  if (has_guest) guest.stop();
  guest = client;
  guest.setNoDelay(true);
  has_guest = true;
  guest_since = millis();
  guest_address = guest.remoteIP();
  token_size = 0;
  if (sizeof ROBOT_TOKEN == 1) admit_guest();
}

static void send_text() {
  while (sent_to != filled_to) {
    const uint16_t begin = sent_to % ROOM, waiting = (uint16_t)(filled_to - sent_to);
    const uint16_t size = waiting < ROOM - begin ? waiting : (uint16_t)(ROOM - begin);
    const size_t taken = network_send_some(reader, ring + begin, size);
    sent_to += (uint16_t)taken;
    if (taken < size) return; /* later */
  }
}

extern "C" int16_t board_read_byte(void) {
  if (!network_is_up()) {
    if (has_reader) reader.stop();
    has_reader = false;
    if (has_guest) refuse_guest();
    return BOARD_NO_BYTE;
  }
  if (network_has_come_up()) server.begin();
  accept_guest();
  hear_guest();
  if (has_reader && !reader.connected()) {
    reader.stop();
    has_reader = false;
  }
  if (has_reader) send_text();
  return has_reader && reader.available() > 0 ? (int16_t)reader.read() : (int16_t)BOARD_NO_BYTE;
}

extern "C" void board_write_byte(uint8_t byte) {
  Serial.write(byte);
  if (has_reader) keep_byte(byte);
}

extern "C" void board_disconnect(void) {}
