/* Declarations of the Wi-Fi of boards with an Arduino core, from the public references of ESP32, ESP8266 and
 * Pico W. */
#ifndef WIFI_H
#define WIFI_H

#include <Arduino.h>

enum WiFiMode_t { WIFI_OFF = 0, WIFI_STA = 1 };
enum wl_status_t { WL_IDLE_STATUS = 0, WL_CONNECTED = 3 };
enum WiFiSleepType { WIFI_NONE_SLEEP = 0 };

class IPAddress {
 public:
  String toString() const;
  operator uint32_t() const;
};

class WiFiClass {
 public:
  bool mode(WiFiMode_t mode);
#ifdef ARDUINO_ARCH_RP2040
  int beginNoBlock(const char *name, const char *password);
#else
  wl_status_t begin(const char *name, const char *password);
#endif
  wl_status_t status();
  bool disconnect();
  IPAddress localIP();
#ifdef ARDUINO_ARCH_ESP32
  bool setSleep(bool on);
#endif
#ifdef ARDUINO_ARCH_ESP8266
  void persistent(bool on);
  bool setSleepMode(WiFiSleepType type);
#endif
};

extern WiFiClass WiFi;

class WiFiClient : public Stream {
 public:
  int connect(const char *host, uint16_t port);
  uint8_t connected();
  int available() override;
  int read() override;
  int read(uint8_t *data, size_t size);
  size_t write(uint8_t byte) override;
  size_t write(const uint8_t *data, size_t size);
#ifdef ARDUINO_ARCH_ESP32
  int fd() const;
#else
  int availableForWrite();
#endif
  void setNoDelay(bool on);
  IPAddress remoteIP();
  void stop();
  explicit operator bool();
};

class WiFiServer {
 public:
  explicit WiFiServer(uint16_t port);
  void begin();
  WiFiClient accept();
};

#endif
