/* See report.h. */
#include "report.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webots/types.h>

#include "generated/messages.h"
#include "robot.h"

#define LONGEST 2048
#define KEPT_NUMBERS 8
#define MOST_TIMES 10 /* maximum number of times that the same error is printed */
#define MOST_KEPT 1000
#define LONGEST_NUMBER 17
#define FIRST_SMALL (-5) /* exponents in this range are written without exponent notation */
#define FIRST_LARGE 16

typedef struct Said {
  struct Said *next;
  char *text;
  int times;
} Said;

Host report_host;
static Reported without_robot;

void report_end(int code) {
  if (report_host.end)
    report_host.end(code);
  else
    exit(code);
}

void report_stop(int code) {
  report_end(code);
  abort();
}

void report_wait(bool begins) {
  if (report_host.wait) report_host.wait(begins);
}

bool report_is_interrupted(void) { return report_host.is_interrupted && report_host.is_interrupted(); }

void reported_end(Reported *reported) {
  while (reported->said) {
    Said *one = reported->said;
    reported->said = one->next;
    free(one->text);
    free(one);
  }
}

static Reported *current_reported(void) {
  return robot_is_there() ? &robot_current()->reported : &without_robot;
}

const char *report_as(const char *function) {
  Reported *reported = current_reported();
  const char *former = reported->caller;
  reported->caller = former && function ? former : function; /* the outermost is what the program called */
  return former;
}

/* The function that a message names. */
static const char *named(const char *function) {
  const char *caller = current_reported()->caller;
  return caller ? caller : function;
}

/* The number of times that a line was printed, including this one; the number of stored lines is limited. */
static int times_said(const char *text) {
  Reported *reported = current_reported();
  for (Said *one = reported->said; one; one = one->next) {
    if (!strcmp(one->text, text)) return one->times < INT_MAX ? ++one->times : INT_MAX;
  }
  if (reported->count < MOST_KEPT) {
    Said *made = allocate(sizeof *made);
    keep_text(&made->text, text);
    made->times = 1;
    made->next = reported->said;
    reported->said = made;
    ++reported->count;
  }
  return 1;
}

static void write_line(const char *line) {
  if (report_host.write)
    report_host.write(line);
  else
    fprintf(stderr, "%s\n", line);
}

/* The bytes of a character that a terminal would interpret instead of showing it; 0: it is shown.
 * Control characters, in UTF-8 those up to U+009F, and marks that are invisible or change the direction. */
static int hidden_size(const unsigned char *at) {
  if ((at[0] < 0x20 && at[0] != '\n') || at[0] == 0x7f) return 1;
  if (at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f) return 2;
  if (at[0] == 0xef && at[1] == 0xbb && at[2] == 0xbf) return 3;
  if (at[0] != 0xe2) return 0;
  const bool is_mark =
      at[1] == 0x80 && ((at[2] >= 0x8b && at[2] <= 0x8f) || (at[2] >= 0xa8 && at[2] <= 0xae));
  return is_mark || (at[1] == 0x81 && at[2] >= 0xa0 && at[2] <= 0xaf) ? 3 : 0;
}

/* Write a line, which may contain names from a world, with escapes as in Python for what is not shown. */
static void write_shown(const char *line) {
  Buffer out = {0};
  for (const unsigned char *at = (const unsigned char *)line; *at;) {
    const int size = hidden_size(at);
    char escape[8] = {(char)*at};
    if (*at == '\t' || *at == '\r')
      snprintf(escape, sizeof escape, *at == '\t' ? "\\t" : "\\r");
    else if (size && size < 3)
      snprintf(escape, sizeof escape, "\\x%02x", at[size - 1]);
    else if (size)
      snprintf(escape, sizeof escape, "\\u%04x",
               (unsigned)(at[0] & 15) << 12 | (unsigned)(at[1] & 63) << 6 | (at[2] & 63));
    put(&out, escape, strlen(escape));
    at += size ? size : 1;
  }
  put_u8(&out, 0);
  write_line((const char *)out.data);
  buffer_free(&out);
}

void report_line(const char *format, ...) {
  char line[LONGEST];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  write_line(line);
}

/* Append the line of the program, if the host knows it. */
static void add_place(char *line, size_t size) {
  const char *place = report_host.place ? report_host.place() : "";
  const size_t used = strlen(line);
  if (*place) snprintf(line + used, size - used, " (%s)", place);
}

void report_error(const char *function, const char *format, ...) {
  char text[LONGEST], line[2 * LONGEST + sizeof MESSAGE_NOT_REPEATED];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  snprintf(line, sizeof line - sizeof MESSAGE_NOT_REPEATED, "Error: %s() %s", named(function), text);
  add_place(line, sizeof line - sizeof MESSAGE_NOT_REPEATED);
  const int times = times_said(line);
  if (times == MOST_TIMES) strcat(line, MESSAGE_NOT_REPEATED);
  if (times <= MOST_TIMES) write_shown(line);
}

void report_warning(const char *function, bool once, const char *format, ...) {
  char text[LONGEST], line[2 * LONGEST];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  snprintf(line, sizeof line, "Warning: %s() %s", named(function), text);
  if (times_said(line) > 1 && once) return;
  add_place(line, sizeof line);
  write_shown(line);
}

const char *number_text(double value) {
  static char texts[KEPT_NUMBERS][32];
  static int next;
  char *text = texts[next = (next + 1) % KEPT_NUMBERS];
  int digits = 1;
  if (isnan(value)) return "nan";
  do snprintf(text, sizeof texts[0], "%.*e", digits - 1, value);
  while (strtod(text, NULL) != value && ++digits <= LONGEST_NUMBER);
  const char *mark = strchr(text, 'e');
  const int exponent = mark ? (int)strtol(mark + 1, NULL, 10) : FIRST_LARGE;
  if (FIRST_SMALL < exponent && exponent < FIRST_LARGE) {
    const int decimals = digits - 1 - exponent;
    snprintf(text, sizeof texts[0], "%.*f", decimals > 1 ? decimals : 1, value);
  }
  return text;
}

bool is_nan(const char *function, const char *name, double value) {
  if (!isnan(value)) return false;
  report_error(function, MESSAGE_INVALID_ARGUMENT, name, "NaN");
  return true;
}

void wbh_report_missing_image(const char *function) { is_null(function, "image", NULL); }

bool is_null(const char *function, const char *name, const void *pointer) {
  if (pointer) return false;
  report_error(function, MESSAGE_INVALID_ARGUMENT, name, "NULL");
  return true;
}
