/* Programs on this computer: the wire is a pseudo terminal, a TCP port, or in lockstep the test bench. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "bench.h"
#include "board.h"

#define BUFFER 16384
#define TIMEOUT 1000 /* ms to wait for a controller that does not read */

static int listener = -1, wire = -1;
static uint8_t rx[BUFFER], tx[BUFFER];
static size_t rx_size, rx_at, tx_size;

static void fail(const char *what) {
  perror(what);
  exit(2);
}

static void open_pty(void) {
  int other;
  char name[256];
  struct termios mode;
  if (openpty(&wire, &other, name, NULL, NULL) != 0 || tcgetattr(other, &mode) != 0) fail("pseudo terminal");
  cfmakeraw(&mode);
  tcsetattr(other, TCSANOW, &mode);
  fcntl(wire, F_SETFL, O_NONBLOCK);
  printf("wire serial://%s\n", name);
}

static void open_tcp(const char *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  const int on = 1;
  address.sin_port = htons((uint16_t)atoi(port));
  listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 1) != 0)
    fail("TCP port");
  getsockname(listener, (struct sockaddr *)&address, &size);
  printf("wire tcp://127.0.0.1:%d\n", ntohs(address.sin_port));
}

void wire_open(const char *kind) {
  if (bench_lockstep)
    printf("wire lockstep\n");
  else if (strncmp(kind, "tcp", 3) == 0)
    open_tcp(kind[3] == ':' ? kind + 4 : "0");
  else
    open_pty();
}

int wire_descriptor(void) { return wire >= 0 ? wire : listener; }

static void accept_one(void) {
  const int on = 1;
  wire = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
  if (wire >= 0) setsockopt(wire, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void wire_close(void) {
  if (listener < 0) return;
  close(wire);
  wire = -1;
  rx_size = rx_at = 0;
}

/* Receives available bytes; returns true if the controller has disconnected. */
static bool receive(void) {
  if (wire < 0 && listener >= 0) accept_one();
  if (wire < 0) return false;
  const ssize_t size = read(wire, rx, sizeof rx);
  rx_at = 0;
  rx_size = size > 0 ? (size_t)size : 0;
  const bool disconnected = listener >= 0 && (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR));
  if (disconnected) wire_close();
  return disconnected;
}

int16_t wire_read(void) {
  if (rx_at == rx_size && !bench_lockstep && receive()) return BOARD_DISCONNECTED;
  return rx_at < rx_size ? rx[rx_at++] : BOARD_NO_BYTE;
}

static void transmit(const uint8_t *data, size_t size) {
  static int timeout = TIMEOUT;
  while (size > 0 && wire >= 0) {
    const ssize_t done = write(wire, data, size);
    struct pollfd file = {wire, POLLOUT, 0};
    if (done < 0 && errno == EAGAIN && poll(&file, 1, timeout) > 0) continue;
    timeout = done > 0 ? TIMEOUT : 0; /* wait only once for a controller that does not read */
    if (done <= 0) return;            /* discarded, as on a real wire */
    data += done;
    size -= (size_t)done;
  }
}

void wire_write(uint8_t byte) {
  if (!bench_lockstep)
    transmit(&byte, 1);
  else if (tx_size < sizeof tx)
    tx[tx_size++] = byte;
}

void wire_put(const uint8_t *data, size_t size) {
  memmove(rx, rx + rx_at, rx_size - rx_at);
  rx_size -= rx_at;
  rx_at = 0;
  const size_t room = sizeof rx - rx_size;
  memcpy(rx + rx_size, data, size < room ? size : room);
  rx_size += size < room ? size : room;
}

void wire_print(void) {
  printf("ran ");
  for (size_t k = 0; k < tx_size; k++) printf("%02x", tx[k]);
  printf("\n");
  tx_size = 0;
}
