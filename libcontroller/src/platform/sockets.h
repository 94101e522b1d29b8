/* Sockets, and waiting for them: what differs among systems. Failures set errno. */
#ifndef SOCKETS_H
#define SOCKETS_H

#include <stdbool.h>
#include <stddef.h>

/* A connected TCP socket; -1, with the reason, on failure. */
int socket_open_tcp(const char *host, const char *port, const char **why);

/* A socket connected to a local one; -1 on failure. `is_own`: the other side runs as this user or as root. */
int socket_open_local(const char *path, bool *is_own);

/* The longest path of a local socket, in characters. */
size_t socket_longest_path(void);

/* Send small packets at once. */
void socket_send_at_once(int socket);

/* Let receiving fail after some seconds. */
void socket_set_patience(int socket, int seconds);

ptrdiff_t socket_send(int socket, const void *data, size_t size);

/* at_once: fail with EAGAIN instead of waiting. */
ptrdiff_t socket_receive(int socket, void *place, size_t room, bool at_once);

/* Wait until bytes can be received, or until the file `other` is readable; -1: there is none. `ms`: the
   longest wait, or 0. False with EAGAIN after it, and with EINTR after a signal. */
bool socket_wait(int socket, int other, int ms);

void socket_close(int socket);

#endif
