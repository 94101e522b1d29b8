/* Reads by formats as sscanf does (C11, 7.21.6.2). */
#include "scan.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct field {
  bool skipped;  /* is read and not stored */
  int most;      /* characters */
  uint8_t bytes; /* of a whole number */
  bool wide;     /* a real number is a double */
};

/* What stands between % and the letter; a pointer to that. */
static const char *read_field(const char *format, struct field *field) {
  *field = (struct field){.bytes = sizeof(int)};
  if (*format == '*') {
    field->skipped = true;
    format++;
  }
  for (; isdigit((unsigned char)*format); format++) field->most = 10 * field->most + (*format - '0');
  for (;; format++) {
    if (*format == 'h') {
      field->bytes = field->bytes == sizeof(short) && format[-1] == 'h' ? 1 : sizeof(short);
    } else if (*format == 'l') {
      field->bytes = field->wide ? sizeof(long long) : sizeof(long);
      field->wide = true;
    } else if (*format == 'z' || *format == 't') {
      field->bytes = sizeof(size_t);
    } else if (*format == 'j') {
      field->bytes = sizeof(intmax_t);
    } else {
      return format;
    }
  }
}

static int digit_of(char one) {
  return isdigit((unsigned char)one)   ? one - '0'
         : isalpha((unsigned char)one) ? tolower((unsigned char)one) - 'a' + 10
                                       : INT_MAX;
}

/* A whole number to a base, 0: as in C; a pointer behind it, or `text` where there is none. */
static const char *scan_whole(const char *text, int most, int base, uint64_t *number) {
  const char *at = text, *limit = text;
  while (limit - text < most && *limit) limit++;
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

/* The end of a set such as [a-z]; `format` is behind the bracket. */
static const char *set_end(const char *format) {
  if (*format == '^') format++;
  if (*format == ']') format++;
  while (*format && *format != ']') format++;
  return format;
}

/* Is a character in the set between two pointers? */
static bool in_set(char one, const char *set, const char *end) {
  const bool inverted = *set == '^';
  bool found = false;
  for (set += inverted; set < end; set++) {
    if (set + 2 < end && set[1] == '-') {
      found |= (unsigned char)one >= (unsigned char)set[0] && (unsigned char)one <= (unsigned char)set[2];
      set += 2;
    } else {
      found |= one == *set;
    }
  }
  return found != inverted;
}

/* Read characters into memory: all (kind c), up to a space (s), or those of a set; a pointer behind them. */
static const char *scan_text(const char *text, const struct field *field, char kind, const char *set,
                             const char *end, char *to) {
  const int most = field->most > 0 ? field->most : kind == 'c' ? 1 : INT_MAX;
  const char *at = text;
  while (at - text < most && *at &&
         (kind == 'c' || (kind == 's' ? !isspace((unsigned char)*at) : in_set(*at, set, end)))) {
    if (to != NULL) *to++ = *at;
    at++;
  }
  if (kind == 'c' && at - text < most) return text;
  if (to != NULL && kind != 'c') *to = 0;
  return at;
}

static const char *scan_number(const char *text, const struct field *field, char kind, void *to) {
  const int most = field->most > 0 ? field->most : INT_MAX;
  if (strchr("eEfFgGaA", kind)) {
    double number = 0;
    const char *end = scan_real(text, most, &number);
    if (to != NULL && end != text) {
      if (field->wide)
        *(double *)to = number;
      else
        *(float *)to = (float)number;
    }
    return end;
  }
  uint64_t number = 0;
  const char *end = scan_whole(text, most,
                               kind == 'i'                  ? 0
                               : kind == 'o'                ? 8
                               : kind == 'd' || kind == 'u' ? 10
                                                            : 16,
                               &number);
  if (to != NULL && end != text) memcpy(to, &number, field->bytes); /* the lowest byte is the first one */
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
  bool ended = false;
  for (; *format && !ended; format++) {
    if (isspace((unsigned char)*format)) {
      at = skip_spaces(at);
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      format += *format == '%';
      at = *format == '%' ? skip_spaces(at) : at;
      ended = *at != *format;
      at += !ended;
      continue;
    }
    struct field field;
    format = read_field(format + 1, &field);
    const char kind = *format, *set = format + 1;
    if (kind == 0) break;
    if (kind == '[') format = set_end(set);
    if (kind == 'n') {
      const int passed = (int)(at - text);
      if (!field.skipped)
        memcpy(va_arg(values, void *), &passed, field.bytes < sizeof passed ? field.bytes : sizeof passed);
      continue;
    }
    if (kind != 'c' && kind != '[') at = skip_spaces(at);
    if (*at == 0) {
      stored = stored > 0 ? stored : -1; /* the text has ended before anything was read */
      break;
    }
    void *const to = field.skipped ? NULL : va_arg(values, void *);
    const bool is_text = kind == 'c' || kind == 's' || kind == '[';
    const char *end =
        is_text ? scan_text(at, &field, kind, set, format, to) : scan_number(at, &field, kind, to);
    ended = end == at;
    stored += !ended && !field.skipped;
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
