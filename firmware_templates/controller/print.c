/* Implements printf() (C11, 7.21.6.1) without a buffer and without the heap. */
#include "print.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "decimal.h"
#include "flavor.h"

#define MAX_DIGITS 22 /* of an integer of 8 bytes in base 8 */
#define POINTER_BYTES ((uint8_t)sizeof(void *))

struct spec {
  bool left, zeros, plus, space, alternate, precise;
  bool longer; /* a real number is a long double */
  int width, precision;
  uint8_t bytes; /* of an integer */
};

/* The destination: the flavor's output, or memory. */
static bool to_memory;
static char *memory;
static size_t space_left;
static int printed;

static void put(char character) {
  printed++;
  if (!to_memory) {
    flavor_text(character);
  } else if (space_left > 1) {
    *memory++ = character;
    space_left--;
  }
}

static void put_repeated(char character, int count) {
  while (count-- > 0) put(character);
}

static void put_text(const char *text, int length) {
  while (length-- > 0) put(*text++);
}

/* Prints a text padded to the width. */
static void put_padded(const struct spec *spec, const char *text, int length) {
  const int gap = spec->width - length;
  if (!spec->left) put_repeated(' ', gap);
  put_text(text, length);
  if (spec->left) put_repeated(' ', gap);
}

static void put_string(const struct spec *spec, const char *text) {
  int length = 0;
  if (text == NULL) text = "(null)";
  while ((!spec->precise || length < spec->precision) && text[length]) length++;
  put_padded(spec, text, length);
}

/* Prints the prefix of a number; spaces up to the width come before it, zeros after it. */
static void put_prefix(const struct spec *spec, const char *prefix, int length, bool zeros) {
  const int count = (int)strlen(prefix), gap = spec->width - count - length;
  if (!spec->left && !zeros) put_repeated(' ', gap);
  put_text(prefix, count);
  if (!spec->left && zeros) put_repeated('0', gap);
}

static const char *sign_of(const struct spec *spec, bool negative) {
  return negative ? "-" : spec->plus ? "+" : spec->space ? " " : "";
}

/* Converts an integer (least significant byte first) to base 10, 8 or 16; returns the number of digits. */
static int integer_digits(char *text, const uint8_t *number, uint8_t bytes, char kind) {
  if (kind == 'd' || kind == 'u') {
    struct decimal decimal;
    decimal_integer(&decimal, number, bytes);
    for (int k = 0; k < decimal.point; k++) text[k] = (char)('0' + decimal_digit(&decimal, k));
    return decimal.point;
  }
  const uint8_t each = kind == 'o' ? 3 : 4;
  int count = 0;
  for (int spec = (8 * bytes - 1) / each; spec >= 0; spec--) {
    uint8_t digit = 0;
    for (int bit = each * spec + each - 1; bit >= each * spec; bit--)
      digit = (uint8_t)(digit << 1 | (bit < 8 * bytes && number[bit / 8] >> bit % 8 & 1));
    if (digit > 0 || count > 0)
      text[count++] = (char)(digit < 10 ? '0' + digit : (kind == 'X' ? 'A' : 'a') + digit - 10);
  }
  return count;
}

static void put_integer(const struct spec *spec, uint8_t *number, char kind) {
  const char *prefix = "";
  if (kind == 'd') {
    const bool negative = number[spec->bytes - 1] >> 7;
    prefix = sign_of(spec, negative);
    uint8_t carry = negative;
    for (uint8_t k = 0; negative && k < spec->bytes; k++) {
      number[k] = (uint8_t)(~number[k] + carry);
      carry = carry && number[k] == 0;
    }
  }
  char text[MAX_DIGITS];
  const int count = integer_digits(text, number, spec->bytes, kind);
  int digits = spec->precise ? spec->precision : 1;
  if (spec->alternate && kind == 'o' && digits <= count) digits = count + 1;
  if (spec->alternate && count > 0 && (kind == 'x' || kind == 'X')) prefix = kind == 'x' ? "0x" : "0X";
  const int zeros = digits > count ? digits - count : 0;
  put_prefix(spec, prefix, zeros + count, spec->zeros && !spec->precise);
  put_repeated('0', zeros);
  put_text(text, count);
  if (spec->left) put_repeated(' ', spec->width - (int)strlen(prefix) - zeros - count);
}

/* Prints a finite number with or without an exponent. */
static void put_finite(const struct spec *spec, double number, char kind, const char *prefix) {
  struct decimal decimal;
  decimal_real(&decimal, number);
  const bool general = kind == 'g' || kind == 'G';
  int precision = spec->precise ? spec->precision : 6;
  bool scientific = kind == 'e' || kind == 'E';
  if (general) {
    precision = precision == 0 ? 1 : precision;
    decimal_round(&decimal, precision);
    scientific = decimal.point - 1 < -4 || decimal.point > precision;
    precision -= scientific ? 1 : decimal.point;
    const int needed = decimal.count - (scientific ? 1 : decimal.point);
    if (!spec->alternate && precision > needed) precision = needed > 0 ? needed : 0;
  } else {
    decimal_round(&decimal, precision + (scientific ? 1 : decimal.point));
  }
  const int whole = scientific ? 1 : decimal.point > 1 ? decimal.point : 1;
  const int first = scientific ? 0 : decimal.point - whole; /* index of the first digit */
  const bool point = precision > 0 || spec->alternate;
  int exponent = decimal.point - 1;
  const bool negative = exponent < 0;
  exponent = negative ? -exponent : exponent;
  const int length = whole + point + precision + (scientific ? 4 + (exponent >= 100) : 0);
  put_prefix(spec, prefix, length, spec->zeros);
  for (int k = 0; k < whole + precision; k++) {
    if (k == whole) put('.');
    put((char)('0' + decimal_digit(&decimal, first + k)));
  }
  if (point && precision == 0) put('.');
  if (scientific) {
    put(kind == 'E' || kind == 'G' ? 'E' : 'e');
    put(negative ? '-' : '+');
    if (exponent >= 100) put((char)('0' + exponent / 100));
    put((char)('0' + exponent / 10 % 10));
    put((char)('0' + exponent % 10));
  }
  if (spec->left) put_repeated(' ', spec->width - (int)strlen(prefix) - length);
}

static void put_real(const struct spec *spec, double number, char kind) {
  const char *prefix = sign_of(spec, signbit(number));
  if (!isnan(number) && !isinf(number)) {
    put_finite(spec, number, kind, prefix);
    return;
  }
  const bool upper = kind == 'F' || kind == 'E' || kind == 'G';
  put_prefix(spec, prefix, 3, false);
  put_text(isnan(number) ? (upper ? "NAN" : "nan") : upper ? "INF" : "inf", 3);
  if (spec->left) put_repeated(' ', spec->width - (int)strlen(prefix) - 3);
}

/* Reads a number in a format: digits, or * for an argument. */
static const char *read_number(const char *format, int *number, va_list *values) {
  *number = 0;
  if (*format == '*') {
    *number = va_arg(*values, int);
    return format + 1;
  }
  for (; *format >= '0' && *format <= '9'; format++) *number = *number * 10 + (*format - '0');
  return format;
}

/* Reads flags, width and precision; returns a pointer after them. */
static const char *read_spec(const char *format, struct spec *spec, va_list *values) {
  *spec = (struct spec){.bytes = sizeof(int)};
  for (;; format++) {
    if (*format == '-')
      spec->left = true;
    else if (*format == '0')
      spec->zeros = true;
    else if (*format == '+')
      spec->plus = true;
    else if (*format == ' ')
      spec->space = true;
    else if (*format == '#')
      spec->alternate = true;
    else
      break;
  }
  format = read_number(format, &spec->width, values);
  if (spec->width < 0) {
    spec->left = true;
    spec->width = -spec->width;
  }
  if (*format == '.') {
    format = read_number(format + 1, &spec->precision, values);
    spec->precise = spec->precision >= 0;
  }
  return format;
}

/* Reads the size of an integer; returns a pointer to the conversion letter. */
static const char *read_size(const char *format, struct spec *spec) {
  for (;; format++) {
    if (*format == 'h')
      spec->bytes = spec->bytes == sizeof(short) && format[-1] == 'h' ? 1 : sizeof(short);
    else if (*format == 'l')
      spec->bytes = format[-1] == 'l' ? sizeof(long long) : sizeof(long);
    else if (*format == 'j')
      spec->bytes = sizeof(intmax_t);
    else if (*format == 'z' || *format == 't')
      spec->bytes = sizeof(size_t);
    else if (*format == 'L') {
      spec->longer = true;
      spec->bytes = sizeof(long long);
    } else
      return format;
  }
}

/* Takes an integer argument as bytes, least significant first. */
static void read_integer(uint8_t *number, uint8_t bytes, va_list *values) {
  if (bytes <= sizeof(int)) {
    const int value = va_arg(*values, int);
    memcpy(number, &value, bytes);
  } else if (bytes == sizeof(long)) {
    const long value = va_arg(*values, long);
    memcpy(number, &value, bytes);
  } else {
    const long long value = va_arg(*values, long long);
    memcpy(number, &value, bytes);
  }
}

static double read_real(bool longer, va_list *values) {
  return longer ? (double)va_arg(*values, long double) : va_arg(*values, double);
}

/* Prints an argument according to its conversion letter. */
static void put_value(struct spec *spec, char kind, va_list *values) {
  uint8_t number[sizeof(long long)];
  switch (kind) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      read_integer(number, spec->bytes, values);
      put_integer(spec, number, kind == 'i' ? 'd' : kind);
      break;
    case 'p': {
      void *const pointer = va_arg(*values, void *);
      memcpy(number, &pointer, POINTER_BYTES);
      spec->bytes = POINTER_BYTES;
      spec->alternate = true;
      put_integer(spec, number, 'x');
      break;
    }
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G': put_real(spec, read_real(spec->longer, values), kind); break;
    case 'a':
    case 'A': /* hexadecimal real numbers are not supported */
      (void)read_real(spec->longer, values);
      put_padded(spec, "?", 1);
      break;
    case 'n': {
      const long long count = printed;
      memcpy(va_arg(*values, void *), &count, spec->bytes); /* little endian */
      break;
    }
    case 'c': put_padded(spec, (const char[]){(char)va_arg(*values, int)}, 1); break;
    case 's': put_string(spec, va_arg(*values, const char *)); break;
    default: put(kind);
  }
}

int controller_vprintf(const char *format, va_list given) {
  va_list values;
  va_copy(values, given);
  printed = 0;
  for (; *format; format++) {
    if (*format != '%') {
      put(*format);
      continue;
    }
    struct spec spec;
    format = read_size(read_spec(format + 1, &spec, &values), &spec);
    if (*format == 0) break;
    put_value(&spec, *format, &values);
  }
  va_end(values);
  return printed;
}

int controller_vsnprintf(char *text, size_t size, const char *format, va_list values) {
  to_memory = true;
  memory = text;
  space_left = size;
  const int count = controller_vprintf(format, values);
  if (space_left > 0) *memory = 0;
  to_memory = false;
  return count;
}

int controller_vsprintf(char *text, const char *format, va_list values) {
  return controller_vsnprintf(text, SIZE_MAX, format, values);
}

int controller_vfprintf(void *file, const char *format, va_list values) {
  (void)file;
  return controller_vprintf(format, values);
}

int controller_printf(const char *format, ...) {
  va_list values;
  va_start(values, format);
  const int count = controller_vprintf(format, values);
  va_end(values);
  return count;
}

int controller_fprintf(void *file, const char *format, ...) {
  va_list values;
  va_start(values, format);
  const int count = controller_vfprintf(file, format, values);
  va_end(values);
  return count;
}

int controller_snprintf(char *text, size_t size, const char *format, ...) {
  va_list values;
  va_start(values, format);
  const int count = controller_vsnprintf(text, size, format, values);
  va_end(values);
  return count;
}

int controller_sprintf(char *text, const char *format, ...) {
  va_list values;
  va_start(values, format);
  const int count = controller_vsprintf(text, format, values);
  va_end(values);
  return count;
}
