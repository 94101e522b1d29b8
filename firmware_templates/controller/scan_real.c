/* Reads real numbers as strtod does (C11, 7.22.1.3): decimal ones, inf and nan; no hexadecimal ones. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "decimal.h"
#include "scan.h"

#define MOST_EXPONENT 9999

/* A word without regard to capitals; how many characters it has, or 0. */
static int word_at(const char *text, int most, const char *word) {
  int k = 0;
  for (; word[k]; k++)
    if (k >= most || tolower((unsigned char)text[k]) != word[k]) return 0;
  return k;
}

/* The digits with their point; a pointer behind them, or `text` where there are none. */
static const char *read_digits(const char *text, const char *limit, struct decimal *to) {
  const char *at = text;
  bool any = false, point = false;
  *to = (struct decimal){.count = 0};
  for (; at < limit && (isdigit((unsigned char)*at) || (*at == '.' && !point)); at++) {
    if (*at == '.') {
      point = true;
      continue;
    }
    any = true;
    const uint8_t digit = (uint8_t)(*at - '0');
    if (to->count > 0 || digit > 0) {
      decimal_append(to, digit);
      to->point = (int16_t)(to->point + !point);
    } else if (point) {
      to->point--;
    }
  }
  return any ? at : text;
}

/* An exponent, if there is a right one; a pointer behind it. */
static const char *read_exponent(const char *text, const char *limit, struct decimal *to) {
  const char *at = text;
  if (at == limit || (*at != 'e' && *at != 'E')) return text;
  at++;
  const bool negative = at < limit && *at == '-';
  if (at < limit && (*at == '-' || *at == '+')) at++;
  if (at == limit || !isdigit((unsigned char)*at)) return text;
  int exponent = 0;
  for (; at < limit && isdigit((unsigned char)*at); at++)
    if (exponent < MOST_EXPONENT) exponent = 10 * exponent + (*at - '0');
  exponent = exponent < MOST_EXPONENT ? exponent : MOST_EXPONENT;
  to->point = (int16_t)(to->point + (negative ? -exponent : exponent));
  return at;
}

const char *scan_real(const char *text, int most, double *number) {
  const char *at = text, *limit = text;
  while (limit - text < most && *limit) limit++;
  const bool negative = at < limit && *at == '-';
  if (at < limit && (*at == '-' || *at == '+')) at++;
  const int left = (int)(limit - at);
  int length = word_at(at, left, "infinity");
  length = length > 0 ? length : word_at(at, left, "inf");
  const int none = word_at(at, left, "nan");
  struct decimal decimal;
  const char *end = at + length + none;
  if (length > 0) {
    *number = (double)INFINITY;
  } else if (none > 0) {
    *number = (double)NAN;
  } else {
    end = read_digits(at, limit, &decimal);
    if (end == at) return text;
    end = read_exponent(end, limit, &decimal);
    *number = decimal_value(&decimal);
  }
  *number = negative ? -*number : *number;
  return end;
}

double controller_strtod(const char *text, char **end) {
  const char *at = text;
  while (isspace((unsigned char)*at)) at++;
  double number = 0;
  const char *behind = scan_real(at, INT_MAX, &number);
  if (end != NULL) *end = (char *)(behind == at ? text : behind);
  return number;
}

float controller_strtof(const char *text, char **end) { return (float)controller_strtod(text, end); }

double controller_atof(const char *text) { return controller_strtod(text, NULL); }
