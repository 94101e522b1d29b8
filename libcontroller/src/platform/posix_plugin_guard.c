/* See ../plugin_guard.h. */
#include "../plugin_guard.h"

#ifndef _WIN32
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "posix.h"

#define LIMIT_S "30" /* unless the variable WBRIDGE_PLUGIN_LIMIT sets another one */
#define MOST_S 1e6
#define PARTS 3 /* a warning comes after one of them */
#define STACK 32768

static const struct {
  int signal;
  const char *text;
} CRASHES[] = {{SIGSEGV, "Segmentation fault"},
               {SIGBUS, "Bus error"},
               {SIGFPE, "Floating point exception"},
               {SIGILL, "Illegal instruction"},
               {SIGABRT, "Aborted"}};
#define COUNT (sizeof CRASHES / sizeof *CRASHES)

static const char *volatile current_plugin, *volatile current_function;
static struct sigaction before[COUNT];
static const char *limit_text;
static double limit_s;
static volatile sig_atomic_t part; /* of the limit, counted from 0 */

/* Only calls that are allowed in signal handlers. */
static void say(const char *start, const char *plugin, const char *what, const char *why, const char *end) {
  const char *parts[] = {start, plugin, ": ", current_function, what, why, end, "\n"};
  char line[1024];
  size_t size = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    for (const char *from = parts[i]; *from && size < sizeof line; ++from) line[size++] = *from;
  if (write(STDERR_FILENO, line, size) < 0) return; /* nobody listens */
}

/* Other programs in the process may handle these signals, such as Java for its own purposes. */
static void on_crash(int number, siginfo_t *info, void *context) {
  size_t i = 0;
  while (i + 1 < COUNT && CRASHES[i].signal != number) ++i;
  const char *plugin = current_plugin;
  current_plugin = NULL;
  if (plugin) say("Error: ", plugin, " crashed: ", CRASHES[i].text, "");
  if (before[i].sa_flags & SA_SIGINFO) {
    before[i].sa_sigaction(number, info, context);
  } else if (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN) {
    before[i].sa_handler(number);
  } else {
    sigaction(number, &before[i], NULL);
    if (info->si_code <= 0) raise(number); /* else it happens again */
  }
}

/* What the plugin has printed is kept, unless it is stuck in printing: then the timer elapses again. */
static void end_process(void) {
  posix_timer_set(1);
  fflush(NULL);
  _exit(1);
}

static void on_late(int number) {
  (void)number;
  const char *plugin = current_plugin;
  if (!plugin) return;
  if (++part > PARTS) _exit(1);
  if (part == 1) {
    say("Warning: ", plugin, " has not returned yet; its limit is ", limit_text,
        " s (WBRIDGE_PLUGIN_LIMIT=SECONDS sets another one)");
  } else if (part == PARTS) {
    if (posix_is_debugged()) return; /* a program at a breakpoint is not late */
    say("Error: ", plugin, " did not return within ", limit_text, " s; the controller ends");
    end_process();
  }
  posix_timer_set(limit_s / PARTS);
}

static void choose_limit(void) {
  const char *chosen = getenv("WBRIDGE_PLUGIN_LIMIT");
  limit_text = chosen ? chosen : LIMIT_S;
  limit_s = strtod(limit_text, NULL);
  if (limit_s > 0 && limit_s <= MOST_S) return;
  limit_text = LIMIT_S;
  limit_s = strtod(LIMIT_S, NULL);
}

static void install(void) {
  choose_limit();
  static char stack[STACK]; /* for handlers: a stack that has overflowed leaves no room */
  stack_t own = {.ss_sp = stack, .ss_size = sizeof stack}, now;
  if (!sigaltstack(NULL, &now) && (now.ss_flags & SS_DISABLE)) sigaltstack(&own, NULL);
  struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < COUNT; ++i) sigaction(CRASHES[i].signal, &action, &before[i]);
  posix_timer_open(on_late);
}

void wbh_guard_begin(const char *plugin, const char *function) {
  static bool is_installed;
  if (!is_installed) install();
  is_installed = true;
  current_function = function;
  current_plugin = plugin;
  part = 0;
  posix_timer_set(limit_s / PARTS);
}

void wbh_guard_end(void) {
  current_plugin = NULL;
  posix_timer_set(0);
}
#endif
