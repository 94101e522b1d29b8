/* Implements strtod() (C11, 7.22.1.3) for decimal numbers, inf and nan; hexadecimal numbers are not
 * supported. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "decimal.h"
#include "scan.h"

#define MAX_EXPONENT 9999

/* Matches a word, ignoring case; returns its length, or 0. */
static int word_at(const char *text, int max_length, const char *word) {
  int k = 0;
  for (; word[k]; k++)
    if (k >= max_length || tolower((unsigned char)text[k]) != word[k]) return 0;
  return k;
}

/* Reads digits and the decimal point; returns a pointer after them, or `text` if there are none. */
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

/* Reads a valid exponent, if there is one; returns a pointer after it. */
static const char *read_exponent(const char *text, const char *limit, struct decimal *to) {
  const char *at = text;
  if (at == limit || (*at != 'e' && *at != 'E')) return text;
  at++;
  const bool negative = at < limit && *at == '-';
  if (at < limit && (*at == '-' || *at == '+')) at++;
  if (at == limit || !isdigit((unsigned char)*at)) return text;
  int exponent = 0;
  for (; at < limit && isdigit((unsigned char)*at); at++)
    if (exponent < MAX_EXPONENT) exponent = 10 * exponent + (*at - '0');
  exponent = exponent < MAX_EXPONENT ? exponent : MAX_EXPONENT;
  to->point = (int16_t)(to->point + (negative ? -exponent : exponent));
  return at;
}

const char *scan_real(const char *text, int max_length, double *number) {
  const char *at = text, *limit = text;
  while (limit - text < max_length && *limit) limit++;
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
  const char *after = scan_real(at, INT_MAX, &number);
  if (end != NULL) *end = (char *)(after == at ? text : after);
  return number;
}

float controller_strtof(const char *text, char **end) { return (float)controller_strtod(text, end); }

double controller_atof(const char *text) { return controller_strtod(text, NULL); }
