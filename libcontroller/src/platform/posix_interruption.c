/* See ../interruption.h. */
#include "../interruption.h"

#ifndef _WIN32
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

enum { COUNT = 2 };
static const int NUMBERS[COUNT] = {SIGINT, SIGTERM};

static struct sigaction programs[COUNT]; /* the program's own actions */
static bool stands[COUNT];               /* `pass_on` stands in front of it */
static int ends[2] = {-1, -1};           /* a pipe, kept for the next wait */
static volatile sig_atomic_t has_come;

/* Note a signal, and call the program's handler. */
static void pass_on(int number, siginfo_t *details, void *context) {
  const int problem = errno;
  const struct sigaction *own = &programs[number == NUMBERS[1]];
  has_come = 1;
  if (write(ends[1], "", 1) < 0) errno = problem; /* full: it is readable already */
  if (own->sa_flags & SA_SIGINFO)
    own->sa_sigaction(number, details, context);
  else
    own->sa_handler(number);
  errno = problem;
}

static bool is_handled(const struct sigaction *action) {
  return action->sa_flags & SA_SIGINFO || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

static bool is_ours(const struct sigaction *action) {
  return action->sa_flags & SA_SIGINFO && action->sa_sigaction == pass_on;
}

static bool open_pipe(void) {
  if (ends[0] >= 0) return true;
  if (pipe(ends)) return false;
  for (int i = 0; i < 2; ++i) {
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  }
  return true;
}

int interruption_begin(void) {
  bool any = false;
  has_come = 0;
  for (int i = 0; i < COUNT; ++i) {
    stands[i] = !sigaction(NUMBERS[i], NULL, &programs[i]) && is_handled(&programs[i]) &&
                !is_ours(&programs[i]) && open_pipe();
    if (!stands[i]) continue;
    struct sigaction front = programs[i];
    front.sa_flags |= SA_SIGINFO;
    front.sa_sigaction = pass_on;
    stands[i] = !sigaction(NUMBERS[i], &front, NULL);
    any = any || stands[i];
  }
  return any ? ends[0] : -1;
}

bool interruption_end(void) {
  for (int i = 0; i < COUNT; ++i) {
    struct sigaction now;
    /* A handler may have chosen another action meanwhile. */
    if (stands[i] && !sigaction(NUMBERS[i], NULL, &now) && is_ours(&now))
      sigaction(NUMBERS[i], &programs[i], NULL);
    stands[i] = false;
  }
  char bytes[16];
  while (has_come && read(ends[0], bytes, sizeof bytes) > 0) continue;
  return has_come;
}
#endif
