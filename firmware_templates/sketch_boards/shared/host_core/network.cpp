/* Connections of the Arduino API on this computer: sockets that never wait, except when they connect. */
#include <WiFi.h>
#include <arpa/inet.h>
#include <errno.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "config.h"
#include "core.h"

#ifdef LINK_TLS
#define SCHEME "tcps"
#else
#define SCHEME "tcp"
#endif
#define TIMEOUT 5000 /* ms to wait for a peer, as on ESP8266 */
#define WINDOW 5744  /* bytes that a board keeps for sending, as on ESP32 */

WiFiClass WiFi;

static int listener = -1;

struct WiFiClient::Socket {
  int number;
  explicit Socket(int of) : number(of) {}
  ~Socket() { close(number); }
};

#ifndef LINK_TOPIC
static void fail(const char *what) {
  perror(what);
  exit(2);
}

static void listen_at(uint16_t port) {
  struct sockaddr_in address = {};
  socklen_t size = sizeof address;
  const int on = 1;
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4) != 0)
    fail("TCP port");
  getsockname(listener, (struct sockaddr *)&address, &size);
  printf("wire " SCHEME "://127.0.0.1:%d\n", ntohs(address.sin_port));
}
#endif

void network_open(const char *wire) {
#ifdef LINK_TOPIC
  (void)wire;
  printf("wire mqtt://" LINK_BROKER ":%d/" LINK_TOPIC "\n", LINK_PORT);
#else
  listen_at((uint16_t)(strncmp(wire, "tcp:", 4) == 0 ? atoi(wire + 4) : 0));
#endif
}

void WiFiServer::begin() {}

WiFiClient WiFiServer::accept() {
  const int number = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
  return number < 0 ? WiFiClient() : WiFiClient(number);
}

WiFiClient::WiFiClient(int number) : socket(std::make_shared<Socket>(number)) {}

static bool wait_for(int number, short what) {
  struct pollfd file = {number, what, 0};
  return poll(&file, 1, TIMEOUT) > 0;
}

/* A connection to one of a host's addresses; -1: none answers. */
static int connected_to(const struct addrinfo *address) {
  const int number = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK, 0);
  int error = 0;
  socklen_t size = sizeof error;
  if (number < 0) return -1;
  ::connect(number, address->ai_addr, address->ai_addrlen);
  if (wait_for(number, POLLOUT) && getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0)
    return number;
  close(number);
  return -1;
}

int WiFiClient::connect(const char *host, uint16_t port) {
  struct addrinfo hints = {}, *found = nullptr;
  char service[8];
  snprintf(service, sizeof service, "%u", (unsigned)port);
  hints.ai_socktype = SOCK_STREAM;
  stop();
  if (getaddrinfo(host, service, &hints, &found) != 0) return 0;
  int number = -1;
  for (const struct addrinfo *one = found; one != nullptr && number < 0; one = one->ai_next)
    number = connected_to(one);
  freeaddrinfo(found);
  if (number >= 0) socket = std::make_shared<Socket>(number);
  return number >= 0;
}

bool WiFiClient::connected() {
  uint8_t byte;
  if (!socket) return false;
  const ssize_t size = recv(socket->number, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return size > 0 || (size < 0 && errno == EAGAIN);
}

int WiFiClient::available() {
  int size = 0;
  if (!socket || ioctl(socket->number, FIONREAD, &size) != 0) return 0;
  return size;
}

int WiFiClient::read() {
  uint8_t byte;
  return read(&byte, 1) == 1 ? byte : -1;
}

int WiFiClient::read(uint8_t *data, size_t size) {
  return socket ? (int)recv(socket->number, data, size, MSG_DONTWAIT) : -1;
}

size_t WiFiClient::write(const uint8_t *data, size_t size) {
  size_t done = 0;
  while (socket && done < size) {
    const ssize_t now = send(socket->number, data + done, size - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (now > 0)
      done += (size_t)now;
    else if (errno != EAGAIN || !wait_for(socket->number, POLLOUT))
      break;
  }
  return done;
}

int WiFiClient::availableForWrite() {
  int waiting = 0;
  if (!socket || ioctl(socket->number, SIOCOUTQ, &waiting) != 0) return 0;
  return waiting < WINDOW ? WINDOW - waiting : 0;
}

void WiFiClient::setNoDelay(bool on) {
  const int value = on;
  if (socket) setsockopt(socket->number, IPPROTO_TCP, TCP_NODELAY, &value, sizeof value);
}

IPAddress WiFiClient::remoteIP() {
  struct sockaddr_in address = {};
  socklen_t size = sizeof address;
  if (socket) getpeername(socket->number, (struct sockaddr *)&address, &size);
  return address.sin_addr.s_addr;
}

void WiFiClient::stop() { socket.reset(); }
