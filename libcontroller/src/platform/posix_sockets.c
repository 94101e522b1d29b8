/* See sockets.h. */
#include "sockets.h"

#ifndef _WIN32
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "posix.h"

int socket_open_tcp(const char *host, const char *port, const char **why) {
  struct addrinfo *places = NULL, wanted = {.ai_socktype = SOCK_STREAM};
  const int problem = getaddrinfo(host, port, &wanted, &places);
  if (problem) {
    *why = gai_strerror(problem);
    return -1;
  }
  int opened = -1;
  for (const struct addrinfo *place = places; place && opened < 0; place = place->ai_next) {
    opened = posix_socket(place->ai_family, place->ai_socktype, place->ai_protocol);
    if (opened >= 0 && connect(opened, place->ai_addr, place->ai_addrlen)) {
      *why = strerror(errno);
      close(opened);
      opened = -1;
    }
  }
  freeaddrinfo(places);
  return opened;
}

static bool is_own_user(int socket) {
  uid_t user = 0;
  return posix_peer(socket, &user) && (user == 0 || user == getuid());
}

size_t socket_longest_path(void) { return sizeof((struct sockaddr_un *)NULL)->sun_path - 1; }

int socket_open_local(const char *path, bool *is_own) {
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  errno = ENAMETOOLONG;
  if (strlen(path) > socket_longest_path()) return -1;
  memcpy(to.sun_path, path, strlen(path));
  const int opened = posix_socket(AF_UNIX, SOCK_STREAM, 0);
  if (opened >= 0 && connect(opened, (struct sockaddr *)&to, sizeof to)) {
    const int problem = errno;
    close(opened);
    errno = problem;
    return -1;
  }
  *is_own = opened >= 0 && is_own_user(opened);
  return opened;
}

void socket_send_at_once(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void socket_set_patience(int socket, int seconds) {
  const struct timeval patience = {.tv_sec = seconds};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
}

ptrdiff_t socket_send(int socket, const void *data, size_t size) {
  return send(socket, data, size, POSIX_SEND_FLAGS);
}

ptrdiff_t socket_receive(int socket, void *place, size_t room, bool at_once) {
  return recv(socket, place, room, at_once ? MSG_DONTWAIT : 0);
}

bool socket_wait(int socket, int other, int ms) {
  struct pollfd files[] = {{.fd = socket, .events = POLLIN}, {.fd = other, .events = POLLIN}};
  const int ready = poll(files, 2, ms ? ms : -1);
  if (!ready) errno = EAGAIN;
  return ready > 0 && files[0].revents;
}

void socket_close(int socket) { close(socket); }
#endif
