/* The connection with the broker, packet by packet (MQTT 3.1.1, OASIS standard). */
#include "mqtt.h"

#include <Arduino.h>
#include <stdio.h>
#include <string.h>

#include "network.h"
#include "resets.h"
#include "secrets.h"

extern "C" {
#include "config.h"
#include "link_messages.h"
#include "table.h"
}

#define KEEP_ALIVE 10     /* s; the broker publishes the last will after one and a half */
#define PING_MS 5000UL    /* silence after which the broker has to show that it is there */
#define ANSWER_MS 15000UL /* silence after which it is gone */
#define RETRY_MS 2000UL   /* time between attempts to connect */
#define LEVEL_3_1_1 4
#define CLEAN 0x02
#define WILL_RETAINED_QOS_1 0x2C
#define USER 0x80
#define PASSWORD 0x40
#define MOST_TOPIC 160 /* bytes */
#define LENGTH_BYTES 4

enum packet { CONNECT = 1, CONNACK, PUBLISH, SUBSCRIBE = 8, SUBACK = 9, PINGREQ = 12, PINGRESP = 13 };
enum stage { AWAY, GREETING, ANNOUNCING, SUBSCRIBING, UP };

static WiFiClient broker;
static stage now_at = AWAY;
static uint32_t tried_at, heard_at, sent_at, pinged_at; /* ms */

/* The packet that arrives. */
static uint8_t head, content[2 + MOST_TOPIC + LINK_MESSAGE + 1];
static uint32_t length, filled;
static uint8_t length_bytes; /* taken of the length; then `is_open` */
static bool has_head, has_length;

/* The packet that is being made. */
static uint8_t out[2 + LENGTH_BYTES + MOST_TOPIC + LINK_MESSAGE];
static uint16_t out_size;

static void put_byte(uint8_t byte) {
  if (out_size < sizeof out) out[out_size++] = byte;
}

static void put_bytes(const void *data, uint16_t size) {
  for (uint16_t k = 0; k < size; k++) put_byte(((const uint8_t *)data)[k]);
}

static void put_text(const char *text) {
  const uint16_t size = (uint16_t)strlen(text);
  put_byte((uint8_t)(size >> 8));
  put_byte((uint8_t)size);
  put_bytes(text, size);
}

static uint16_t text_bytes(const char *text) { return (uint16_t)(2 + strlen(text)); }

/* Begins a packet of which `size` bytes follow the length. */
static void begin(uint8_t first, uint32_t size) {
  out_size = 0;
  put_byte(first);
  for (; size >= 0x80; size >>= 7) put_byte((uint8_t)(size | 0x80));
  put_byte((uint8_t)size);
}

static void send_packet() {
  sent_at = millis();
  if (!network_send(broker, out, out_size)) mqtt_drop("it does not read");
}

void mqtt_drop(const char *why) {
  if (now_at == AWAY) return;
  network_print("lost the broker: ", why);
  broker.stop();
  now_at = AWAY;
  tried_at = millis();
}

static void greet() {
  const bool has_user = sizeof BROKER_USER > 1, has_password = sizeof BROKER_PASSWORD > 1;
  const uint16_t user = has_user ? text_bytes(BROKER_USER) : 0;
  const uint16_t password = has_password ? text_bytes(BROKER_PASSWORD) : 0;
  begin(CONNECT << 4, 10u + text_bytes(LINK_TOPIC) + text_bytes(LINK_TOPIC "/state") + text_bytes("offline") +
                          user + password);
  put_text("MQTT");
  put_byte(LEVEL_3_1_1);
  put_byte((uint8_t)(CLEAN | WILL_RETAINED_QOS_1 | (has_user ? USER : 0) | (has_password ? PASSWORD : 0)));
  put_byte(0);
  put_byte(KEEP_ALIVE);
  put_text(LINK_TOPIC); /* the client's name: the broker drops an older connection of this robot at once */
  put_text(LINK_TOPIC "/state");
  put_text("offline");
  if (has_user) put_text(BROKER_USER);
  if (has_password) put_text(BROKER_PASSWORD);
  send_packet();
}

static void connect_broker() {
  static bool has_tried;
  if (has_tried && millis() - tried_at < RETRY_MS) return;
  has_tried = true;
  tried_at = millis();
  has_head = false;
  watchdog_wait(true);
  const bool answers = broker.connect(LINK_BROKER, LINK_PORT);
  watchdog_wait(false);
  if (!answers) {
    network_print("no broker answers at ", LINK_BROKER);
    tried_at = millis();
    return;
  }
  broker.setNoDelay(true);
  heard_at = millis();
  now_at = GREETING;
  greet();
}

static void ping() {
  pinged_at = millis();
  begin(PINGREQ << 4, 0);
  send_packet();
}

static void publish_retained(const char *topic, const char *text) {
  begin(PUBLISH << 4 | 1, text_bytes(topic) + strlen(text));
  put_text(topic);
  put_bytes(text, (uint16_t)strlen(text));
  send_packet();
}

static void subscribe() {
  begin(SUBSCRIBE << 4 | 2,
        2u + text_bytes(LINK_TOPIC "/request/+") + 1u + text_bytes(LINK_TOPIC "/request") + 1u);
  put_byte(0);
  put_byte(1); /* number of this packet */
  put_text(LINK_TOPIC "/request/+");
  put_byte(0);
  put_text(LINK_TOPIC "/request");
  put_byte(0);
  send_packet();
}

/* Publishes the device table, which may be larger than all buffers. It may wait for the broker: nobody drives
 * yet. */
static bool announce_table() {
#if LINK_TABLE_SIZE
  begin(PUBLISH << 4 | 1, text_bytes(LINK_TOPIC "/table") + LINK_TABLE_SIZE);
  put_text(LINK_TOPIC "/table");
  for (uint32_t k = 0; k < LINK_TABLE_SIZE;) {
    while (out_size < sizeof out && k < LINK_TABLE_SIZE) put_byte((uint8_t)table_text[k++]);
    if (broker.write(out, out_size) != out_size) return false;
    out_size = 0;
  }
#endif
  return true;
}

static void announce() {
  watchdog_wait(true);
  const bool is_told = announce_table();
  watchdog_wait(false);
  if (!is_told) {
    mqtt_drop("it does not read");
    return;
  }
  now_at = SUBSCRIBING;
  publish_retained(LINK_TOPIC "/state", "online");
  if (now_at == SUBSCRIBING) subscribe();
}

/* Takes a byte of the packet's head and length; returns true if the packet is complete with it. */
static bool take_length(uint8_t byte) {
  if (!has_head) {
    head = byte;
    has_head = true;
    has_length = false;
    length = filled = 0;
    length_bytes = 0;
    return false;
  }
  length |= (uint32_t)(byte & 0x7F) << (7 * length_bytes);
  length_bytes++;
  has_length = byte < 0x80;
  if (!has_length && length_bytes == LENGTH_BYTES) mqtt_drop("a packet without end");
  return has_length && length == 0;
}

/* Reads bytes; returns true if a packet is complete. The rest of a packet that is too large is left out. */
static bool read_packet() {
  while (now_at != AWAY && broker.available() > 0) {
    heard_at = millis();
    if (!has_head || !has_length) {
      uint8_t byte;
      if (broker.read(&byte, 1) != 1) return false;
      if (take_length(byte)) return true;
      continue;
    }
    uint8_t rest[64];
    const bool has_room = filled < sizeof content;
    const uint32_t room = has_room ? sizeof content - filled : sizeof rest;
    const int got =
        broker.read(has_room ? content + filled : rest, length - filled < room ? length - filled : room);
    if (got <= 0) return false;
    filled += (uint32_t)got;
    if (filled == length) return true;
  }
  return false;
}

/* Reads a PUBLISH packet; returns false if it is none for the link. */
static bool read_publish(mqtt_message &message) {
  if ((head & 0x06) != 0) {
    mqtt_drop("a message with a QoS that was not subscribed");
    return false;
  }
  const uint32_t topic_size = length < 2 ? 0 : (uint32_t)content[0] << 8 | content[1];
  const bool is_retained = head & 1;
  if (is_retained || length > sizeof content || length < 2 + topic_size) return false;
  message.topic = (const char *)content + 2;
  message.topic_size = (uint16_t)topic_size;
  message.data = content + 2 + topic_size;
  message.size = (uint16_t)(length - 2 - topic_size);
  return true;
}

/* Reacts to a packet that belongs to the connection itself. */
static void react() {
  static const char digits[] = "0123456789";
  const uint8_t kind = head >> 4;
  if (now_at == GREETING && kind == CONNACK && length == 2) {
    char code[] = {digits[content[1] % 10], 0};
    if (content[1] == 0)
      now_at = ANNOUNCING;
    else
      network_print("the broker refuses, code ", code);
    if (content[1] != 0) mqtt_drop("name or password may be wrong (secrets.h)");
  } else if (now_at == SUBSCRIBING && kind == SUBACK && length == 4) {
    if (content[2] >= 0x80) {
      mqtt_drop("it does not let this robot read its topic");
      return;
    }
    now_at = UP;
    network_print("robot at the broker's topic ", LINK_TOPIC);
  }
}

bool mqtt_is_up() {
  if (now_at == AWAY) connect_broker();
  if (now_at == AWAY) return false;
  if (!broker.connected() && broker.available() <= 0)
    mqtt_drop("it has closed the connection");
  else if (millis() - heard_at > ANSWER_MS)
    mqtt_drop("it is silent");
  else if (now_at == ANNOUNCING)
    announce();
  else if (now_at == UP && (millis() - sent_at > PING_MS || millis() - heard_at > PING_MS) &&
           millis() - pinged_at > PING_MS)
    ping();
  return now_at == UP;
}

bool mqtt_receive(mqtt_message &message) {
  while (read_packet()) {
    has_head = false;
    if (head >> 4 != PUBLISH)
      react();
    else if (now_at == UP && read_publish(message))
      return true;
    if (now_at == ANNOUNCING) return false;
  }
  return false;
}

void mqtt_publish(const char *topic, const uint8_t *data, uint16_t size) {
  if (now_at != UP) return;
  begin(PUBLISH << 4, text_bytes(topic) + size);
  put_text(topic);
  put_bytes(data, size);
  send_packet();
}
