/* See sockets.h. */
#include "sockets.h"

#ifdef _WIN32
#include <errno.h>
#include <winsock2.h>
#include <ws2tcpip.h>

/* The number of errno for the last failure of a function for sockets. */
static int last_problem(void) {
  switch (WSAGetLastError()) {
    case WSAEWOULDBLOCK:
    case WSAETIMEDOUT: return EAGAIN;
    case WSAEINTR: return EINTR;
    case WSAECONNREFUSED: return ECONNREFUSED;
    case WSAECONNRESET:
    case WSAECONNABORTED: return ECONNRESET;
    default: return EIO;
  }
}

/* Sockets work after this has been called once. */
static void begin(void) {
  static bool has_begun;
  WSADATA about;
  if (!has_begun) has_begun = !WSAStartup(MAKEWORD(2, 2), &about);
}

int socket_open_tcp(const char *host, const char *port, const char **why) {
  begin();
  struct addrinfo *places = NULL, wanted = {.ai_socktype = SOCK_STREAM};
  if (getaddrinfo(host, port, &wanted, &places)) {
    *why = "no such address";
    return -1;
  }
  SOCKET opened = INVALID_SOCKET;
  for (const struct addrinfo *place = places; place && opened == INVALID_SOCKET; place = place->ai_next) {
    opened = socket(place->ai_family, place->ai_socktype, place->ai_protocol);
    if (opened != INVALID_SOCKET && connect(opened, place->ai_addr, (int)place->ai_addrlen)) {
      *why = last_problem() == ECONNREFUSED ? "connection refused" : "no connection";
      closesocket(opened);
      opened = INVALID_SOCKET;
    }
  }
  freeaddrinfo(places);
  return opened == INVALID_SOCKET ? -1 : (int)opened; /* handles have 32 significant bits */
}

size_t socket_longest_path(void) { return 0; }

int socket_open_local(const char *path, bool *is_own) {
  (void)path;
  *is_own = false;
  errno = ENOSYS;
  return -1;
}

void socket_send_at_once(int socket) {
  const int on = 1;
  setsockopt((SOCKET)socket, IPPROTO_TCP, TCP_NODELAY, (const char *)&on, sizeof on);
}

void socket_set_patience(int socket, int seconds) {
  const DWORD ms = (DWORD)seconds * 1000;
  setsockopt((SOCKET)socket, SOL_SOCKET, SO_RCVTIMEO, (const char *)&ms, sizeof ms);
}

ptrdiff_t socket_send(int socket, const void *data, size_t size) {
  const int sent = send((SOCKET)socket, data, (int)size, 0);
  if (sent < 0) errno = last_problem();
  return sent;
}

ptrdiff_t socket_receive(int socket, void *place, size_t room, bool at_once) {
  u_long waiting = 1;
  if (at_once && !ioctlsocket((SOCKET)socket, FIONREAD, &waiting) && !waiting) {
    WSAPOLLFD file = {.fd = (SOCKET)socket, .events = POLLIN};
    errno = EAGAIN;
    if (!WSAPoll(&file, 1, 0)) return -1; /* else the other side has closed it */
  }
  const int got = recv((SOCKET)socket, place, (int)room, 0);
  if (got < 0) errno = last_problem();
  return got;
}

bool socket_wait(int socket, int other, int ms) {
  (void)other; /* signals of this system interrupt no wait */
  WSAPOLLFD file = {.fd = (SOCKET)socket, .events = POLLIN};
  const int ready = WSAPoll(&file, 1, ms ? ms : -1);
  if (ready <= 0) errno = ready ? last_problem() : EAGAIN;
  return ready > 0;
}

void socket_close(int socket) { closesocket((SOCKET)socket); }
#endif
