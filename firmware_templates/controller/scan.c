/* Implements sscanf() (C11, 7.21.6.2). */
#include "scan.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct spec {
  bool skipped;   /* read but not stored */
  int max_length; /* maximum number of characters */
  uint8_t bytes;  /* of an integer */
  bool wide;      /* a real number is a double, */
  bool longer;    /* or a long double */
};

/* Reads a conversion specification; returns a pointer to its letter. */
static const char *read_spec(const char *format, struct spec *spec) {
  *spec = (struct spec){.bytes = sizeof(int)};
  if (*format == '*') {
    spec->skipped = true;
    format++;
  }
  for (; isdigit((unsigned char)*format); format++)
    spec->max_length = 10 * spec->max_length + (*format - '0');
  for (;; format++) {
    if (*format == 'h') {
      spec->bytes = spec->bytes == sizeof(short) && format[-1] == 'h' ? 1 : sizeof(short);
    } else if (*format == 'l') {
      spec->bytes = spec->wide ? sizeof(long long) : sizeof(long);
      spec->wide = true;
    } else if (*format == 'z' || *format == 't') {
      spec->bytes = sizeof(size_t);
    } else if (*format == 'L') {
      spec->bytes = sizeof(long long);
      spec->longer = true;
    } else if (*format == 'j') {
      spec->bytes = sizeof(intmax_t);
    } else {
      return format;
    }
  }
}

static int digit_of(char character) {
  return isdigit((unsigned char)character)   ? character - '0'
         : isalpha((unsigned char)character) ? tolower((unsigned char)character) - 'a' + 10
                                             : INT_MAX;
}

/* Reads an integer in a base, 0 for the bases of C literals; returns a pointer after it, or `text` if there
 * is none. */
static const char *scan_integer(const char *text, int max_length, int base, uint64_t *number) {
  const char *at = text, *limit = text;
  while (limit - text < max_length && *limit) limit++;
  const bool negative = at < limit && *at == '-';
  if (at < limit && (*at == '-' || *at == '+')) at++;
  if ((base == 0 || base == 16) && limit - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') &&
      digit_of(at[2]) < 16) {
    at += 2;
    base = 16;
  }
  if (base == 0) base = at < limit && *at == '0' ? 8 : 10;
  const char *first = at;
  uint64_t sum = 0;
  for (; at < limit && digit_of(*at) < base; at++) sum = sum * (uint8_t)base + (uint8_t)digit_of(*at);
  *number = negative ? 0 - sum : sum;
  return at == first ? text : at;
}

/* The end of a set such as [a-z]; `format` points after the bracket. */
static const char *set_end(const char *format) {
  if (*format == '^') format++;
  if (*format == ']') format++;
  while (*format && *format != ']') format++;
  return format;
}

/* True if the set between two pointers contains a character. */
static bool in_set(char character, const char *set, const char *end) {
  const bool inverted = *set == '^';
  bool found = false;
  for (set += inverted; set < end; set++) {
    if (set + 2 < end && set[1] == '-') {
      found |= (unsigned char)character >= (unsigned char)set[0] &&
               (unsigned char)character <= (unsigned char)set[2];
      set += 2;
    } else {
      found |= character == *set;
    }
  }
  return found != inverted;
}

/* Reads characters: all (kind c), up to white space (s), or those in a set; returns a pointer after them. */
static const char *scan_text(const char *text, const struct spec *spec, char kind, const char *set,
                             const char *end, char *to) {
  const int max_length = spec->max_length > 0 ? spec->max_length : kind == 'c' ? 1 : INT_MAX;
  const char *at = text;
  while (at - text < max_length && *at &&
         (kind == 'c' || (kind == 's' ? !isspace((unsigned char)*at) : in_set(*at, set, end)))) {
    if (to != NULL) *to++ = *at;
    at++;
  }
  if (kind == 'c' && at - text < max_length) return text;
  if (to != NULL && kind != 'c') *to = 0;
  return at;
}

static const char *scan_number(const char *text, const struct spec *spec, char kind, void *to) {
  const int max_length = spec->max_length > 0 ? spec->max_length : INT_MAX;
  if (strchr("eEfFgGaA", kind)) {
    double number = 0;
    const char *end = scan_real(text, max_length, &number);
    if (to != NULL && end != text) {
      if (spec->longer)
        *(long double *)to = number;
      else if (spec->wide)
        *(double *)to = number;
      else
        *(float *)to = (float)number;
    }
    return end;
  }
  uint64_t number = 0;
  const char *end = scan_integer(text, max_length,
                                 kind == 'i'                  ? 0
                                 : kind == 'o'                ? 8
                                 : kind == 'd' || kind == 'u' ? 10
                                                              : 16,
                                 &number);
  if (to != NULL && end != text) memcpy(to, &number, spec->bytes); /* little endian */
  return end;
}

static const char *skip_spaces(const char *text) {
  while (isspace((unsigned char)*text)) text++;
  return text;
}

int controller_vsscanf(const char *text, const char *format, va_list given) {
  va_list values;
  va_copy(values, given);
  const char *at = text;
  int stored = 0;
  bool done = false;
  for (; *format && !done; format++) {
    if (isspace((unsigned char)*format)) {
      at = skip_spaces(at);
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      format += *format == '%';
      at = *format == '%' ? skip_spaces(at) : at;
      done = *at != *format;
      at += !done;
      continue;
    }
    struct spec spec;
    format = read_spec(format + 1, &spec);
    const char kind = *format, *set = format + 1;
    if (kind == 'p') spec.bytes = sizeof(void *);
    if (kind == 0) break;
    if (kind == '[') format = set_end(set);
    if (kind == 'n') {
      const int64_t passed = at - text;
      if (!spec.skipped) memcpy(va_arg(values, void *), &passed, spec.bytes); /* little endian */
      continue;
    }
    if (kind != 'c' && kind != '[') at = skip_spaces(at);
    if (*at == 0) {
      stored = stored > 0 ? stored : -1; /* the text ended before the first conversion */
      break;
    }
    void *const to = spec.skipped ? NULL : va_arg(values, void *);
    const bool is_text = kind == 'c' || kind == 's' || kind == '[';
    const char *end =
        is_text ? scan_text(at, &spec, kind, set, format, to) : scan_number(at, &spec, kind, to);
    done = end == at;
    stored += !done && !spec.skipped;
    at = end;
  }
  va_end(values);
  return stored;
}

int controller_sscanf(const char *text, const char *format, ...) {
  va_list values;
  va_start(values, format);
  const int stored = controller_vsscanf(text, format, values);
  va_end(values);
  return stored;
}
