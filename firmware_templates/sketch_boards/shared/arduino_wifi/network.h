/* The Wi-Fi of a board with an Arduino core: ESP32, ESP8266, or Raspberry Pi Pico W. */
#ifndef NETWORK_H
#define NETWORK_H

#include <stddef.h>
#include <stdint.h>

#if defined(ARDUINO_ARCH_ESP8266)
#include <ESP8266WiFi.h>
#else
#include <WiFi.h>
#endif

/* Keeps the board in the network of secrets.h. Returns true while it is there; blocks for some seconds only
 * while it is not. */
bool network_is_up();

/* Returns true once after each time that the board has entered the network. */
bool network_has_come_up();

/* Sends as many bytes as can go without waiting; returns their number. */
size_t network_send_some(WiFiClient &client, const uint8_t *data, size_t size);

/* Sends bytes without waiting. Returns false if the other end does not read them, or is gone. */
bool network_send(WiFiClient &client, const uint8_t *data, size_t size);

/* Prints a line for people on the serial line. */
void network_print(const char *what, const char *which);

#endif
