/* Numbers as digits. What is too large for %f is written as by %e. */
#include "digits.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define LARGEST 4e9 /* that %f writes in full */
#define MOST_PLACES 9

int digits_of(char *text, unsigned long number, unsigned base) {
  int count = 0;
  do {
    const unsigned digit = (unsigned)(number % base);
    text[count++] = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
  } while (number /= base);
  for (int k = 0; k < count / 2; k++) {
    const char one = text[k];
    text[k] = text[count - 1 - k];
    text[count - 1 - k] = one;
  }
  return count;
}

static double power_of_ten(int exponent) {
  double power = 1;
  for (; exponent > 0; exponent--)
    power *= 10;
  return power;
}

/* A number from 0 to LARGEST with a fixed number of places. */
static int fixed(char *text, double number, int places) {
  const double scale = power_of_ten(places);
  uint32_t whole = (uint32_t)number;
  uint32_t rest = (uint32_t)((number - whole) * scale + 0.5);
  if (rest >= (uint32_t)scale) {
    whole++;
    rest -= (uint32_t)scale;
  }
  int count = digits_of(text, whole, 10);
  if (places == 0)
    return count;
  text[count++] = '.';
  char digits[DIGITS_MOST];
  const int found = digits_of(digits, rest, 10);
  for (int k = found; k < places; k++)
    text[count++] = '0';
  for (int k = 0; k < found; k++)
    text[count++] = digits[k];
  return count;
}

/* The exponent that leaves one digit in front of the point; the number becomes what is left. */
static int normalize(double *number, int places) {
  int exponent = 0;
  if (*number == 0)
    return 0;
  for (; *number >= 10; exponent++)
    *number /= 10;
  for (; *number < 1; exponent--)
    *number *= 10;
  if (*number + 0.5 / power_of_ten(places) >= 10) {
    *number /= 10;
    exponent++;
  }
  return exponent;
}

static int put_exponent(char *text, int exponent) {
  int count = 0;
  text[count++] = 'e';
  text[count++] = exponent < 0 ? '-' : '+';
  exponent = exponent < 0 ? -exponent : exponent;
  if (exponent < 10)
    text[count++] = '0';
  return count + digits_of(text + count, (unsigned long)exponent, 10);
}

/* Leave out zeros behind the point, and the point when nothing is behind it. */
static int without_zeros(const char *text, int count) {
  int at = 0;
  while (at < count && text[at] != '.')
    at++;
  if (at == count)
    return count;
  while (text[count - 1] == '0')
    count--;
  return text[count - 1] == '.' ? count - 1 : count;
}

/* A number from 0 on. */
static int magnitude(char *text, double number, int precision, char kind) {
  const bool shortest = kind == 'g';
  if (shortest)
    precision = precision == 0 ? 0 : precision - 1;
  double left = number;
  const int exponent = normalize(&left, precision);
  const bool scientific = kind == 'e' || number > LARGEST || (shortest && (exponent < -4 || exponent > precision));
  int count;
  if (scientific) {
    count = fixed(text, left, precision);
    count = shortest ? without_zeros(text, count) : count;
    return count + put_exponent(text + count, exponent);
  }
  int places = shortest ? precision - exponent : precision;
  places = places > MOST_PLACES ? MOST_PLACES : places;
  count = fixed(text, number, places);
  return shortest ? without_zeros(text, count) : count;
}

int digits_of_real(char *text, double number, int precision, char kind) {
  int count = 0;
  if (number < 0) {
    text[count++] = '-';
    number = -number;
  }
  if (isnan(number) || isinf(number)) {
    const char *word = isnan(number) ? "nan" : "inf";
    for (int k = 0; k < 3; k++)
      text[count++] = word[k];
    return count;
  }
  precision = precision > MOST_PLACES ? MOST_PLACES : precision;
  return count + magnitude(text + count, number, precision, kind == 'F' ? 'f' : kind);
}
