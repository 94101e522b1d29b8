/* See report.h. */
#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

#define LONGEST 2048
#define KEPT_NUMBERS 8
#define LONGEST_NUMBER 17
#define FIRST_SMALL (-5) /* exponents between these need none in the text */
#define FIRST_LARGE 16

typedef struct Said {
  struct Said *next;
  char *text;
} Said;

static Said *said;

void report_error(const char *function, const char *format, ...) {
  char text[LONGEST];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "Error: %s() %s\n", function, text);
}

static bool was_said(const char *text) {
  for (const Said *one = said; one; one = one->next) {
    if (!strcmp(one->text, text)) return true;
  }
  Said *made = allocate(sizeof *made);
  keep_text(&made->text, text);
  made->next = said;
  said = made;
  return false;
}

void report_warning(const char *function, bool once, const char *format, ...) {
  char text[LONGEST], line[LONGEST + 128];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  snprintf(line, sizeof line, "Warning: %s() %s\n", function, text);
  if (!was_said(line) || !once) fputs(line, stderr);
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
  const int exponent = mark ? atoi(mark + 1) : FIRST_LARGE;
  if (FIRST_SMALL < exponent && exponent < FIRST_LARGE) {
    const int decimals = digits - 1 - exponent;
    snprintf(text, sizeof texts[0], "%.*f", decimals > 1 ? decimals : 1, value);
  }
  return text;
}

bool is_nan(const char *function, const char *name, double value) {
  if (!isnan(value)) return false;
  report_error(function, "called with an invalid '%s' argument (NaN).", name);
  return true;
}
