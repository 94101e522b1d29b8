/* See posix.h. Compiled, not run yet. */
#include "system.h"

#ifdef __APPLE__
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "posix.h"

const int POSIX_SEND_FLAGS = 0; /* instead, SO_NOSIGPIPE of each socket (manual page setsockopt(2)) */
static bool has_timer;

/* Sockets cannot be made with these properties at once. */
static void make_own(int socket) {
  const int on = 1;
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
}

int posix_socket(int family, int kind, int protocol) {
  const int made = socket(family, kind, protocol);
  if (made >= 0) make_own(made);
  return made;
}

bool posix_socket_pair(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return false;
  make_own(ends[0]);
  make_own(ends[1]);
  return true;
}

bool posix_peer(int socket, uid_t *user) {
  gid_t group = 0;
  return !getpeereid(socket, user, &group);
}

ssize_t posix_receive(int socket, struct msghdr *message) {
  const ssize_t size = recvmsg(socket, message, 0);
  const struct cmsghdr *head = size >= 0 ? CMSG_FIRSTHDR(message) : NULL;
  if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
    int file = -1;
    memcpy(&file, CMSG_DATA(head), sizeof file);
    fcntl(file, F_SETFD, FD_CLOEXEC);
  }
  return size;
}

long posix_processors(void) { return 0; } /* processes are not bound to processors */

/* The only timer with a signal is that of alarm(): a program that uses it keeps it. */
bool posix_timer_open(void (*late)(int)) {
  struct sigaction now;
  struct sigaction action = {.sa_handler = late, .sa_flags = SA_RESTART | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  has_timer =
      !sigaction(SIGALRM, NULL, &now) && now.sa_handler == SIG_DFL && !sigaction(SIGALRM, &action, NULL);
  return has_timer;
}

void posix_timer_set(double seconds) {
  const time_t whole = (time_t)seconds;
  const suseconds_t rest = (suseconds_t)((seconds - (double)whole) * 1e6);
  const struct itimerval when = {.it_value = {.tv_sec = whole, .tv_usec = rest}};
  if (has_timer) setitimer(ITIMER_REAL, &when, NULL);
}

/* Source: Apple's Technical Q&A QA1361. */
bool posix_is_debugged(void) {
  int about[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()};
  struct kinfo_proc process = {0};
  size_t size = sizeof process;
  return !sysctl(about, sizeof about / sizeof *about, &process, &size, NULL, 0) &&
         process.kp_proc.p_flag & P_TRACED;
}
#endif
