/* Errors and warnings about a controller's API calls, printed on stderr as by Webots. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>

#include "platform/format.h"

/* What a program that contains the library, such as an interpreter, can do in another way. */
typedef struct {
  void (*end)(int code);           /* ends the program; may return, and the API call then returns, too */
  void (*write)(const char *line); /* writes a line of a message */
  bool (*is_interrupted)(void);    /* true: the wait for the simulator ends, and with it the connection */
  const char *(*place)(void);      /* the line of the program that calls the API, or "" */
  void (*wait)(bool begins);       /* before and after a wait, which needs nothing of the host */
} Host;

/* NULL in a member: end by exit(), write to stderr, waits are not interrupted, messages name no line. */
extern Host report_host;

/* End the program. Returns if the host does; the caller must then leave the API call. */
void report_end(int code);

/* End the program where nothing can go on, after a host that returned, too. */
_Noreturn void report_stop(int code);

/* Write a line about the program, rather than about an API call. */
PRINTS(1, 2) void report_line(const char *format, ...);

/* True if the host interrupts a wait. */
bool report_is_interrupted(void);

/* Tell the host that a wait for the simulator begins or has ended. */
void report_wait(bool begins);

/* The messages that were printed, of a robot or of a program before it has one. */
typedef struct {
  struct Said *said;
  int count;
  const char *caller; /* see REPORT_AS_OWN; NULL: none */
} Reported;

void reported_end(Reported *reported);

/* Print an error about an API call; the controller continues. */
PRINTS(2, 3) void report_error(const char *function, const char *format, ...);

/* Print a warning about an API call; `once`: print the same text only once. */
PRINTS(3, 4) void report_warning(const char *function, bool once, const char *format, ...);

/* Let messages name `function` until the next call, which gets what this one returns; see REPORT_AS_OWN. */
const char *report_as(const char *function);

/* Call another function of the API, whose messages name this one, which the program has called. */
#define REPORT_AS_OWN(call)                  \
  do {                                       \
    const char *outer = report_as(__func__); \
    call;                                    \
    report_as(outer);                        \
  } while (0)

/* A number in its shortest exact form; the string is valid for a few more calls. */
const char *number_text(double value);

/* True, after reporting an error, if an argument is NaN. */
bool is_nan(const char *function, const char *name, double value);

/* True, after reporting an error, if a pointer argument is NULL. */
bool is_null(const char *function, const char *name, const void *pointer);

/* A hint with the most similar name, `; did you mean "x"?`, or "". */
const char *closest(const char *name, const char *const *names, int count);

#endif
