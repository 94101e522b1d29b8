/* The Wi-Fi of a board: this computer's network, which is always there. */
#ifndef WIFI_H
#define WIFI_H

#include <Arduino.h>

#include <memory>

#define WIFI_STA 1
#define WL_CONNECTED 3

class IPAddress {
 public:
  IPAddress(uint32_t of = 0x0100007F) : address(of) {}
  String toString() const { return "127.0.0.1"; }
  operator uint32_t() const { return address; }

 private:
  uint32_t address; /* in the order of the network */
};

class WiFiClass {
 public:
  void mode(int) {}
  void begin(const char *, const char *) {}
  int status() { return WL_CONNECTED; }
  void disconnect() {}
  IPAddress localIP() { return {}; }
};

extern WiFiClass WiFi;

/* A TCP connection; copies are the same connection. */
class WiFiClient {
 public:
  WiFiClient() = default;
  explicit WiFiClient(int number);
  int connect(const char *host, uint16_t port);
  bool connected();
  int available();
  int read();
  int read(uint8_t *data, size_t size);
  size_t write(const uint8_t *data, size_t size);
  int availableForWrite();
  void setNoDelay(bool on);
  IPAddress remoteIP();
  void stop();
  explicit operator bool() { return connected(); }

 private:
  struct Socket;
  std::shared_ptr<Socket> socket;
};

class WiFiServer {
 public:
  explicit WiFiServer(uint16_t) {}
  void begin();
  WiFiClient accept();
};

#endif
