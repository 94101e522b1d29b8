/* Formats as printf does (C11, 7.21.6.1), without a buffer and without the heap. */
#include "print.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "decimal.h"
#include "flavor.h"

#define MOST_DIGITS 22 /* of a whole number of 8 bytes, to the base 8 */
#define POINTER_BYTES ((uint8_t)sizeof(void *))

struct place {
  bool left, zeros, plus, space, alternate, precise;
  int width, precision;
  uint8_t bytes; /* of a whole number */
};

/* Where the text goes: to the flavor, or to memory. */
static bool to_memory;
static char *memory;
static size_t room;
static int printed;

static void put(char one) {
  printed++;
  if (!to_memory) {
    flavor_text(one);
  } else if (room > 1) {
    *memory++ = one;
    room--;
  }
}

static void put_many(char one, int count) {
  while (count-- > 0) put(one);
}

static void put_all(const char *text, int length) {
  while (length-- > 0) put(*text++);
}

/* Put a text at its place. */
static void put_text(const struct place *place, const char *text, int length) {
  const int gap = place->width - length;
  if (!place->left) put_many(' ', gap);
  put_all(text, length);
  if (place->left) put_many(' ', gap);
}

static void put_string(const struct place *place, const char *text) {
  int length = 0;
  if (text == NULL) text = "(null)";
  while ((!place->precise || length < place->precision) && text[length]) length++;
  put_text(place, text, length);
}

/* What stands in front of a number; the gap to the width is in front of that, or behind it as zeros. */
static void put_front(const struct place *place, const char *front, int length, bool zeros) {
  const int count = (int)strlen(front), gap = place->width - count - length;
  if (!place->left && !zeros) put_many(' ', gap);
  put_all(front, count);
  if (!place->left && zeros) put_many('0', gap);
}

static const char *sign_of(const struct place *place, bool negative) {
  return negative ? "-" : place->plus ? "+" : place->space ? " " : "";
}

/* The digits of a whole number to the base 10, 8 or 16, its lowest byte first; how many there are. */
static int whole_digits(char *text, const uint8_t *number, uint8_t bytes, char kind) {
  if (kind == 'd' || kind == 'u') {
    struct decimal decimal;
    decimal_whole(&decimal, number, bytes);
    for (int k = 0; k < decimal.point; k++) text[k] = (char)('0' + decimal_digit(&decimal, k));
    return decimal.point;
  }
  const uint8_t each = kind == 'o' ? 3 : 4;
  int count = 0;
  for (int place = (8 * bytes - 1) / each; place >= 0; place--) {
    uint8_t digit = 0;
    for (int bit = each * place + each - 1; bit >= each * place; bit--)
      digit = (uint8_t)(digit << 1 | (bit < 8 * bytes && number[bit / 8] >> bit % 8 & 1));
    if (digit > 0 || count > 0)
      text[count++] = (char)(digit < 10 ? '0' + digit : (kind == 'X' ? 'A' : 'a') + digit - 10);
  }
  return count;
}

static void put_whole(const struct place *place, uint8_t *number, char kind) {
  const char *front = "";
  if (kind == 'd') {
    const bool negative = number[place->bytes - 1] >> 7;
    front = sign_of(place, negative);
    uint8_t carry = negative;
    for (uint8_t k = 0; negative && k < place->bytes; k++) {
      number[k] = (uint8_t)(~number[k] + carry);
      carry = carry && number[k] == 0;
    }
  }
  char text[MOST_DIGITS];
  const int count = whole_digits(text, number, place->bytes, kind);
  int digits = place->precise ? place->precision : 1;
  if (place->alternate && kind == 'o' && digits <= count) digits = count + 1;
  if (place->alternate && count > 0 && (kind == 'x' || kind == 'X')) front = kind == 'x' ? "0x" : "0X";
  const int zeros = digits > count ? digits - count : 0;
  put_front(place, front, zeros + count, place->zeros && !place->precise);
  put_many('0', zeros);
  put_all(text, count);
  if (place->left) put_many(' ', place->width - (int)strlen(front) - zeros - count);
}

/* A finite number as digits, or with an exponent. */
static void put_finite(const struct place *place, double number, char kind, const char *front) {
  struct decimal decimal;
  decimal_real(&decimal, number);
  const bool shortest = kind == 'g' || kind == 'G';
  int precision = place->precise ? place->precision : 6;
  bool scientific = kind == 'e' || kind == 'E';
  if (shortest) {
    precision = precision == 0 ? 1 : precision;
    decimal_round(&decimal, precision);
    scientific = decimal.point - 1 < -4 || decimal.point > precision;
    precision -= scientific ? 1 : decimal.point;
    const int needed = decimal.count - (scientific ? 1 : decimal.point);
    if (!place->alternate && precision > needed) precision = needed > 0 ? needed : 0;
  } else {
    decimal_round(&decimal, precision + (scientific ? 1 : decimal.point));
  }
  const int whole = scientific ? 1 : decimal.point > 1 ? decimal.point : 1;
  const int first = scientific ? 0 : decimal.point - whole; /* place of the first digit */
  const bool point = precision > 0 || place->alternate;
  int exponent = decimal.point - 1;
  const bool negative = exponent < 0;
  exponent = negative ? -exponent : exponent;
  const int length = whole + point + precision + (scientific ? 4 + (exponent >= 100) : 0);
  put_front(place, front, length, place->zeros);
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
  if (place->left) put_many(' ', place->width - (int)strlen(front) - length);
}

static void put_real(const struct place *place, double number, char kind) {
  const char *front = sign_of(place, signbit(number));
  if (!isnan(number) && !isinf(number)) {
    put_finite(place, number, kind, front);
    return;
  }
  const bool upper = kind == 'F' || kind == 'E' || kind == 'G';
  put_front(place, front, 3, false);
  put_all(isnan(number) ? (upper ? "NAN" : "nan") : upper ? "INF" : "inf", 3);
  if (place->left) put_many(' ', place->width - (int)strlen(front) - 3);
}

/* A number within a format: digits, or * for a value. */
static const char *read_number(const char *format, int *number, va_list *values) {
  *number = 0;
  if (*format == '*') {
    *number = va_arg(*values, int);
    return format + 1;
  }
  for (; *format >= '0' && *format <= '9'; format++) *number = *number * 10 + (*format - '0');
  return format;
}

/* Flags, width and precision; a pointer behind them. */
static const char *read_place(const char *format, struct place *place, va_list *values) {
  *place = (struct place){.bytes = sizeof(int)};
  for (;; format++) {
    if (*format == '-')
      place->left = true;
    else if (*format == '0')
      place->zeros = true;
    else if (*format == '+')
      place->plus = true;
    else if (*format == ' ')
      place->space = true;
    else if (*format == '#')
      place->alternate = true;
    else
      break;
  }
  format = read_number(format, &place->width, values);
  if (place->width < 0) {
    place->left = true;
    place->width = -place->width;
  }
  if (*format == '.') {
    format = read_number(format + 1, &place->precision, values);
    place->precise = place->precision >= 0;
  }
  return format;
}

/* The size of a whole number; a pointer to the letter. */
static const char *read_size(const char *format, struct place *place) {
  for (;; format++) {
    if (*format == 'h')
      place->bytes = place->bytes == sizeof(short) && format[-1] == 'h' ? 1 : sizeof(short);
    else if (*format == 'l')
      place->bytes = format[-1] == 'l' ? sizeof(long long) : sizeof(long);
    else if (*format == 'j')
      place->bytes = sizeof(intmax_t);
    else if (*format == 'z' || *format == 't')
      place->bytes = sizeof(size_t);
    else
      return format;
  }
}

/* Take a whole number from the values, as bytes: the lowest one first. */
static void take(uint8_t *number, uint8_t bytes, va_list *values) {
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

/* Put a value as the letter says. */
static void put_value(struct place *place, char kind, va_list *values) {
  uint8_t number[sizeof(long long)];
  switch (kind) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      take(number, place->bytes, values);
      put_whole(place, number, kind == 'i' ? 'd' : kind);
      break;
    case 'p': {
      void *const pointer = va_arg(*values, void *);
      memcpy(number, &pointer, POINTER_BYTES);
      place->bytes = POINTER_BYTES;
      place->alternate = true;
      put_whole(place, number, 'x');
      break;
    }
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G': put_real(place, va_arg(*values, double), kind); break;
    case 'c': put_text(place, (const char[]){(char)va_arg(*values, int)}, 1); break;
    case 's': put_string(place, va_arg(*values, const char *)); break;
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
    struct place place;
    format = read_size(read_place(format + 1, &place, &values), &place);
    if (*format == 0) break;
    put_value(&place, *format, &values);
  }
  va_end(values);
  return printed;
}

int controller_vsnprintf(char *text, size_t size, const char *format, va_list values) {
  to_memory = true;
  memory = text;
  room = size;
  const int count = controller_vprintf(format, values);
  if (room > 0) *memory = 0;
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
