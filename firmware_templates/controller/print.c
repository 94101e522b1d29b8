/* Prints as printf does, without a buffer and without the heap. Files are all the same: the text goes where the
   flavor lets it go. */
#include "print.h"

#include <stdbool.h>
#include <stdio.h>

#include "digits.h"
#include "flavor.h"

#ifdef __PICOLIBC__ /* leaves them to the program; nobody looks behind them */
FILE *const stdout = NULL;
FILE *const stderr = NULL;
#endif

struct place {
  bool left, zeros;
  int width, precision; /* precision -1: not given */
  bool is_long;
};

static int printed;

static void put(char one) {
  flavor_text(one);
  printed++;
}

static void put_many(char one, int count) {
  while (count-- > 0)
    put(one);
}

/* Put a text of some length at its place; a sign stays in front of zeros. */
static void put_text(const struct place *place, const char *text, int length, bool is_number) {
  const int gap = place->width - length;
  const bool zeros = place->zeros && !place->left && is_number;
  if (!place->left && !zeros)
    put_many(' ', gap);
  if (zeros && length > 0 && *text == '-') {
    put(*text++);
    length--;
  }
  if (zeros)
    put_many('0', gap);
  for (int k = 0; k < length; k++)
    put(text[k]);
  if (place->left)
    put_many(' ', gap);
}

static void put_string(const struct place *place, const char *text) {
  int length = 0;
  while (text[length] && (place->precision < 0 || length < place->precision))
    length++;
  put_text(place, text, length, false);
}

static void put_signed(const struct place *place, long number) {
  char text[DIGITS_MOST];
  const int sign = number < 0;
  text[0] = '-';
  put_text(place, text, sign + digits_of(text + sign, number < 0 ? 0ul - (unsigned long)number : (unsigned long)number, 10), true);
}

static void put_unsigned(const struct place *place, unsigned long number, char kind) {
  char text[DIGITS_MOST];
  int length = digits_of(text, number, kind == 'u' ? 10 : kind == 'o' ? 8 : 16);
  for (int k = 0; kind == 'X' && k < length; k++)
    if (text[k] >= 'a')
      text[k] -= 'a' - 'A';
  put_text(place, text, length, true);
}

static void put_real(const struct place *place, double number, char kind) {
  char text[DIGITS_MOST];
  put_text(place, text, digits_of_real(text, number, place->precision < 0 ? 6 : place->precision, kind), true);
}

/* Read what stands between % and the letter; a pointer to the letter. */
static const char *read_place(const char *format, struct place *place, va_list *values) {
  *place = (struct place){.precision = -1};
  for (; *format == '-' || *format == '0' || *format == '+' || *format == ' ' || *format == '#'; format++) {
    place->left |= *format == '-';
    place->zeros |= *format == '0';
  }
  int *number = &place->width;
  for (;; format++) {
    if (*format == '.') {
      number = &place->precision;
      *number = 0;
    } else if (*format == '*') {
      *number = va_arg(*values, int);
    } else if (*format >= '0' && *format <= '9') {
      *number = *number * 10 + (*format - '0');
    } else if (*format == 'l' || *format == 'z') {
      place->is_long |= *format == 'l' || sizeof(size_t) == sizeof(long);
    } else if (*format != 'h') {
      return format;
    }
  }
}

/* Put a value as the letter says. */
static void put_value(const struct place *place, char kind, va_list *values) {
  switch (kind) {
    case 'd':
    case 'i':
      put_signed(place, place->is_long ? va_arg(*values, long) : va_arg(*values, int));
      break;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      put_unsigned(place, place->is_long ? va_arg(*values, unsigned long) : va_arg(*values, unsigned int), kind);
      break;
    case 'f':
    case 'F':
    case 'e':
    case 'g':
      put_real(place, va_arg(*values, double), kind);
      break;
    case 'c':
      put_text(place, (const char[]){(char)va_arg(*values, int)}, 1, false);
      break;
    case 's':
      put_string(place, va_arg(*values, const char *));
      break;
    default:
      put(kind);
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
    format = read_place(format + 1, &place, &values);
    if (*format == 0)
      break;
    put_value(&place, *format, &values);
  }
  va_end(values);
  return printed;
}

int controller_printf(const char *format, ...) {
  va_list values;
  va_start(values, format);
  const int count = controller_vprintf(format, values);
  va_end(values);
  return count;
}

int controller_fprintf(void *file, const char *format, ...) {
  (void)file;
  va_list values;
  va_start(values, format);
  const int count = controller_vprintf(format, values);
  va_end(values);
  return count;
}

int controller_fputs(const char *text, void *file) {
  (void)file;
  while (*text)
    flavor_text(*text++);
  return 1;
}

int controller_puts(const char *text) {
  controller_fputs(text, NULL);
  return controller_putchar('\n');
}

int controller_putchar(int one) {
  flavor_text((char)one);
  return one;
}

int controller_fputc(int one, void *file) {
  (void)file;
  return controller_putchar(one);
}

int controller_putc(int one, void *file) {
  return controller_fputc(one, file);
}

size_t controller_fwrite(const void *data, size_t size, size_t count, void *file) {
  (void)file;
  for (size_t k = 0; k < size * count; k++)
    flavor_text(((const char *)data)[k]);
  return count;
}

int controller_fflush(void *file) {
  (void)file;
  return 0;
}
