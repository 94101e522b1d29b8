/* The board that is a program: its wire is a pseudo terminal, a TCP port, or in lockstep the bench. */
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
#define PATIENCE 1000 /* ms to wait for a controller that does not read */

static int listener = -1, wire = -1;
static uint8_t taken[BUFFER], given[BUFFER];
static size_t taken_size, taken_at, given_size;

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
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof place;
  const int on = 1;
  place.sin_port = htons((uint16_t)atoi(port));
  listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, (struct sockaddr *)&place, sizeof place) != 0 || listen(listener, 1) != 0)
    fail("TCP port");
  getsockname(listener, (struct sockaddr *)&place, &size);
  printf("wire tcp://127.0.0.1:%d\n", ntohs(place.sin_port));
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

void board_hang_up(void) {
  if (listener < 0) return;
  close(wire);
  wire = -1;
  taken_size = taken_at = 0;
}

/* Take what has come from the wire; true: the controller has gone. */
static bool take(void) {
  if (wire < 0 && listener >= 0) accept_one();
  if (wire < 0) return false;
  const ssize_t size = read(wire, taken, sizeof taken);
  taken_at = 0;
  taken_size = size > 0 ? (size_t)size : 0;
  const bool gone = listener >= 0 && (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR));
  if (gone) board_hang_up();
  return gone;
}

int16_t board_read_byte(void) {
  if (taken_at == taken_size && !bench_lockstep && take()) return BOARD_GONE;
  return taken_at < taken_size ? taken[taken_at++] : BOARD_NOTHING;
}

static void give(const uint8_t *data, size_t size) {
  static int patience = PATIENCE;
  while (size > 0 && wire >= 0) {
    const ssize_t done = write(wire, data, size);
    struct pollfd file = {wire, POLLOUT, 0};
    if (done < 0 && errno == EAGAIN && poll(&file, 1, patience) > 0) continue;
    patience = done > 0 ? PATIENCE : 0; /* who does not read is waited for once */
    if (done <= 0) return;              /* nobody reads: as on a real wire, it is lost */
    data += done;
    size -= (size_t)done;
  }
}

void board_write_byte(uint8_t byte) {
  if (!bench_lockstep)
    give(&byte, 1);
  else if (given_size < sizeof given)
    given[given_size++] = byte;
}

void wire_put(const uint8_t *data, size_t size) {
  memmove(taken, taken + taken_at, taken_size - taken_at);
  taken_size -= taken_at;
  taken_at = 0;
  const size_t room = sizeof taken - taken_size;
  memcpy(taken + taken_size, data, size < room ? size : room);
  taken_size += size < room ? size : room;
}

void wire_tell(void) {
  printf("ran ");
  for (size_t k = 0; k < given_size; k++) printf("%02x", given[k]);
  printf("\n");
  given_size = 0;
}
