/* See posix.h. */
#include "system.h"

#if !defined(_WIN32) && !defined(__APPLE__)
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "posix.h"

const int POSIX_SEND_FLAGS = MSG_NOSIGNAL;
static timer_t timer;
static bool has_timer;

int posix_socket(int family, int kind, int protocol) { return socket(family, kind | SOCK_CLOEXEC, protocol); }

bool posix_socket_pair(int ends[2]) { return !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }

bool posix_peer(int socket, uid_t *user) {
  struct ucred peer = {0};
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size)) return false;
  *user = peer.uid;
  return true;
}

ssize_t posix_receive(int socket, struct msghdr *message) {
  return recvmsg(socket, message, MSG_CMSG_CLOEXEC);
}

long posix_processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) ? 0 : CPU_COUNT(&set); /* else more than a set holds */
}

bool posix_timer_open(void (*late)(int)) {
  const int number = SIGRTMIN + 6;
  struct sigaction action = {.sa_handler = late, .sa_flags = SA_RESTART | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
  has_timer = !timer_create(CLOCK_MONOTONIC, &event, &timer);
  return has_timer;
}

void posix_timer_set(double seconds) {
  const time_t whole = (time_t)seconds;
  const long rest = (long)((seconds - (double)whole) * 1e9);
  const struct itimerspec when = {.it_value = {.tv_sec = whole, .tv_nsec = rest}};
  if (has_timer) timer_settime(timer, 0, &when, NULL);
}

bool posix_is_debugged(void) {
  char text[4096];
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  text[size > 0 ? size : 0] = '\0';
  const char *line = strstr(text, "TracerPid:\t");
  return line && line[sizeof "TracerPid:\t" - 1] != '0';
}
#endif
