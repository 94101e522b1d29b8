/* The Wi-Fi: joins its network (credentials.h), and again when it was lost. */
#include "network.h"

#include <Arduino.h>

#include "config.h"
#include "credentials.h"
#include "resets.h"
#include "update.h"

#if defined(ARDUINO_ARCH_ESP32)
#include <lwip/sockets.h>
#endif

/* Otherwise the serial line belongs to the controller. */
#if defined(LINK_CONNECTIONS) || defined(LINK_TOPIC)
#define LINK_IN_NETWORK true
#else
#define LINK_IN_NETWORK false
#endif

#define JOIN_MS 15000UL /* time for an attempt to join */

static bool was_up, has_come_up;

static void join() {
  watchdog_wait(true); /* the radio is calibrated at its first start */
  WiFi.mode(WIFI_STA);
#if defined(ARDUINO_ARCH_ESP32)
  WiFi.setSleep(false); /* a sleeping radio delays answers by 100 ms */
#elif defined(ARDUINO_ARCH_ESP8266)
  WiFi.persistent(false); /* the flash wears out */
  WiFi.setSleepMode(WIFI_NONE_SLEEP);
#endif
#if defined(ARDUINO_ARCH_RP2040)
  WiFi.beginNoBlock(credentials_name(), credentials_password()); /* begin() waits until it has joined */
#else
  WiFi.begin(credentials_name(), credentials_password());
#endif
  watchdog_wait(false);
}

bool network_is_up() {
  static uint32_t joined_at;
  static bool has_joined;
  const bool is_up = WiFi.status() == WL_CONNECTED;
  update_poll(is_up);
  if (LINK_IN_NETWORK && credentials_poll()) {
    WiFi.disconnect();
    has_joined = false;
  }
  if (is_up && !was_up) {
    has_come_up = true;
    network_print("address: ", WiFi.localIP().toString().c_str());
  }
  if (!is_up && was_up) {
    network_print("lost the network ", credentials_name());
    was_up = false;
    return false; /* the robot stops first */
  }
  was_up = is_up;
  if (!is_up && (!has_joined || millis() - joined_at > JOIN_MS)) {
    has_joined = true;
    join();
    joined_at = millis();
  }
  return is_up;
}

bool network_has_come_up() {
  const bool had = has_come_up;
  has_come_up = false;
  return had;
}

size_t network_send_some(WiFiClient &client, const uint8_t *data, size_t size) {
#if defined(ARDUINO_ARCH_ESP32)
  const ssize_t taken = send(client.fd(), data, size, MSG_DONTWAIT);
  return taken > 0 ? (size_t)taken : 0;
#else
  const size_t room = (size_t)client.availableForWrite();
  return room > 0 ? client.write(data, size < room ? size : room) : 0;
#endif
}

bool network_send(WiFiClient &client, const uint8_t *data, size_t size) {
#if defined(ARDUINO_ARCH_ESP32)
  return send(client.fd(), data, size, MSG_DONTWAIT) == (ssize_t)size;
#else
  return (size_t)client.availableForWrite() >= size && client.write(data, size) == size;
#endif
}

void network_print(const char *what, const char *which) {
  Serial.print("wbridge: ");
  Serial.print(what);
  Serial.println(which);
}
