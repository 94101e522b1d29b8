/* What differs among systems with POSIX: Linux and macOS. Failures set errno. */
#ifndef POSIX_H
#define POSIX_H

#include <stdbool.h>
#include <sys/types.h>

/* A socket, or a pair of connected local ones, that programs started later do not inherit. Sending to a peer
   that has gone fails, without a signal, with POSIX_SEND_FLAGS. */
int posix_socket(int family, int kind, int protocol);
bool posix_socket_pair(int ends[2]);
extern const int POSIX_SEND_FLAGS;

/* The user who runs the other side of a local socket; false: unknown. */
bool posix_peer(int socket, uid_t *user);

/* Receive a message, as recvmsg() does; programs started later do not inherit a file that comes with it. */
struct msghdr;
ssize_t posix_receive(int socket, struct msghdr *message);

/* The processors that this process may use; 0: all that are there. */
long posix_processors(void);

/* Call `late` when the time set last has passed. False: there is no timer for that. */
bool posix_timer_open(void (*late)(int));
/* Set the time, from now on; 0: never. Allowed in signal handlers. */
void posix_timer_set(double seconds);

/* Whether a debugger controls this process. Allowed in signal handlers. */
bool posix_is_debugged(void);

#endif
