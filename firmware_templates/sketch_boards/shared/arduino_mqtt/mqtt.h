/* A client of MQTT 3.1.1 that never waits: while the broker is silent, the robot's watchdog goes on. Only
 * what the link needs: messages of QoS 0 up to a fixed size, a last will, and a name and password. */
#ifndef MQTT_H
#define MQTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message from the broker, valid until the next call. */
struct mqtt_message {
  const char *topic; /* not terminated */
  uint16_t topic_size;
  const uint8_t *data;
  uint16_t size;
};

/* Keeps the connection with the broker. Returns true while messages can be sent and received; blocks for some
 * seconds only if it was false before, when it connects. */
bool mqtt_is_up();

/* Receives; returns false if there is no message. Retained messages are left out. */
bool mqtt_receive(mqtt_message &message);

/* Publishes a message of QoS 0. If the broker does not read, the connection ends. */
void mqtt_publish(const char *topic, const uint8_t *data, uint16_t size);

/* Ends the connection; the broker publishes the last will. */
void mqtt_drop(const char *why);

#endif
