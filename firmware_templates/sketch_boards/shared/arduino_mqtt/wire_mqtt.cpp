/* The link over MQTT: one message of the broker is one message of the link. Each controller has a topic of
 * its own.
 *
 * For the main loop a message counts as one byte: board_read_byte() tells that one is there, frame_take()
 * takes it. */
#include <string.h>

#include "mqtt.h"
#include "network.h"

extern "C" {
#include "board.h"
#include "frame.h"
#include "link.h"
#include "link_messages.h"
}

#define LEAST_KEY 16
#define MOST_KEY 64
#define REQUEST LINK_TOPIC "/request"
#define REPLY LINK_TOPIC "/reply"
#define BURST 4 /* messages between two turns of the drivers */

uint8_t frame_message[LINK_MESSAGE + 2];

static char driver[MOST_KEY + 1], sender[MOST_KEY + 1];
static mqtt_message waiting;
static bool was_up;

static bool is_key(const char *text, uint16_t size) {
  for (uint16_t k = 0; k < size; k++) {
    const char one = text[k];
    if (!((one >= '0' && one <= '9') || (one >= 'A' && one <= 'Z') || (one >= 'a' && one <= 'z')))
      return false;
  }
  return size >= LEAST_KEY && size <= MOST_KEY;
}

/* Refuses a message of a controller up to version 0.1.0: they all share a topic, where sessions can be
 * guessed. */
static void refuse_old() {
  const uint16_t size = waiting.size < LINK_MESSAGE ? waiting.size : LINK_MESSAGE;
  memcpy(frame_message, waiting.data, size);
  const struct answer answer = link_refuse(frame_message, size, REFUSED_TOPIC);
  mqtt_publish(REPLY, answer.data, answer.size);
}

/* True if the message is for the link; `sender` is then the key in its topic. */
static bool is_request() {
  const uint16_t head = sizeof REQUEST - 1;
  if (waiting.size == 0 || waiting.topic_size < head || memcmp(waiting.topic, REQUEST, head) != 0)
    return false;
  if (waiting.topic_size == head) refuse_old();
  if (waiting.topic_size <= head || waiting.size > LINK_MESSAGE) return false;
  const char *key = waiting.topic + head + 1;
  const uint16_t size = (uint16_t)(waiting.topic_size - head - 1);
  if (!is_key(key, size)) return false;
  memcpy(sender, key, size);
  sender[size] = 0;
  return true;
}

extern "C" int16_t board_read_byte(void) {
  static uint8_t taken;
  if (!network_is_up()) mqtt_drop("no network");
  const bool is_up = mqtt_is_up();
  const bool is_lost = was_up && !is_up;
  was_up = is_up;
  if (is_lost) {
    driver[0] = 0;
    return BOARD_DISCONNECTED;
  }
  while (taken < BURST && mqtt_receive(waiting)) {
    taken++;
    if (is_request()) return 0;
  }
  taken = 0;
  return BOARD_NO_BYTE;
}

extern "C" uint16_t frame_take(uint8_t byte) {
  (void)byte;
  memcpy(frame_message, waiting.data, waiting.size);
  return waiting.size;
}

extern "C" void frame_reset(void) {}

extern "C" bool frame_is_foreign(void) { return strcmp(sender, driver) != 0; }

extern "C" void frame_send(const uint8_t *message, uint16_t size) {
  char topic[sizeof REPLY + 1 + MOST_KEY] = REPLY "/";
  strcat(topic, sender);
  if (message[0] == LINK_WELCOME) strcpy(driver, sender);
  mqtt_publish(topic, message, size);
}
