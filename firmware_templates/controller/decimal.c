/* Exact conversion between binary and decimal numbers by long multiplication and division by powers of two.
 */
#include "decimal.h"

#include <math.h>
#include <string.h>

#define MAX_BITS 8    /* of a factor, so that products fit into 16 bits */
#define MAX_CARRIED 3 /* maximum number of digits that a factor adds in front */

#if __SIZEOF_DOUBLE__ == 8
typedef uint64_t bits_t;
#define FRACTION 52 /* bits of the mantissa without the implicit one */
#define BIAS 1023
#define EXPONENTS 2047
#define WINDOW 16 /* digits of 2^FRACTION and of the next power of two */
#else
typedef uint32_t bits_t;
#define FRACTION 23
#define BIAS 127
#define EXPONENTS 255
#define WINDOW 7
#endif
#define FIRST ((bits_t)1 << FRACTION)
#define LEAST (1 - BIAS - FRACTION) /* exponent of the smallest number */
#define FAR 400                     /* decimal exponent beyond the largest and the smallest number */

static void trim(struct decimal *number) {
  while (number->count > 0 && number->digits[number->count - 1] == 0) number->count--;
}

/* Multiplies by 2^bits and adds `plus`. */
static void multiply(struct decimal *number, uint8_t bits, uint8_t plus) {
  uint16_t carry = plus;
  for (uint8_t k = number->count; k-- > 0;) {
    const uint16_t sum = (uint16_t)((uint16_t)(number->digits[k] << bits) + carry);
    carry = sum / 10;
    number->digits[k] = (uint8_t)(sum - 10 * carry);
  }
  uint8_t front[MAX_CARRIED], places = 0;
  for (; carry > 0; carry /= 10) front[places++] = (uint8_t)(carry % 10);
  const uint8_t kept = (uint8_t)(DECIMAL_DIGITS - places);
  for (; number->count > kept; number->count--) number->more |= number->digits[number->count - 1] != 0;
  memmove(number->digits + places, number->digits, number->count);
  for (uint8_t k = 0; k < places; k++) number->digits[k] = front[places - 1 - k];
  number->count = (uint8_t)(number->count + places);
  number->point = (int16_t)(number->point + places);
}

/* Divides by 2^bits; cuts off digits that do not fit. */
static void divide(struct decimal *number, uint8_t bits) {
  const uint16_t mask = (uint16_t)((1u << bits) - 1);
  const uint8_t before = number->count;
  uint16_t rest = 0;
  uint8_t count = 0;
  int16_t point = number->point;
  for (uint8_t k = 0; k < before || rest > 0; k = (uint8_t)(k + (k < DECIMAL_DIGITS))) {
    rest = (uint16_t)(10 * rest + (k < before ? number->digits[k] : 0));
    const uint8_t digit = (uint8_t)(rest >> bits);
    rest &= mask;
    if (count == 0 && digit == 0)
      point--;
    else if (count < DECIMAL_DIGITS)
      number->digits[count++] = digit;
    else if (digit > 0)
      number->more = true;
  }
  number->count = count;
  number->point = point;
  trim(number);
}

/* Multiplies by 2^exponent, which may be negative. */
static void scale(struct decimal *number, int exponent) {
  int bits = exponent < 0 ? -exponent : exponent;
  for (; bits > 0; bits -= MAX_BITS) {
    const uint8_t step = (uint8_t)(bits < MAX_BITS ? bits : MAX_BITS);
    if (exponent > 0)
      multiply(number, step, 0);
    else
      divide(number, step);
  }
  trim(number);
}

void decimal_integer(struct decimal *to, const void *number, uint8_t bytes) {
  memset(to, 0, sizeof *to);
  while (bytes-- > 0) multiply(to, 8, ((const uint8_t *)number)[bytes]);
  trim(to);
}

void decimal_real(struct decimal *to, double number) {
  bits_t bits;
  memcpy(&bits, &number, sizeof bits);
  const int exponent = (int)(bits >> FRACTION & EXPONENTS);
  bits_t mantissa = bits & (FIRST - 1);
  if (exponent > 0) mantissa |= FIRST;
  decimal_integer(to, &mantissa, sizeof mantissa);
  scale(to, (exponent > 0 ? exponent : 1) - BIAS - FRACTION);
  if (to->count == 0) to->point = 1; /* 0 is 0.0 * 10, so that its exponent is written as 0 */
}

uint8_t decimal_digit(const struct decimal *number, int index) {
  return index >= 0 && index < number->count ? number->digits[index] : 0;
}

/* True if the digits after the first `keep` are more than half a unit, or exactly half after an odd digit. */
static bool rounds_up(const struct decimal *number, int keep) {
  if (keep < 0 || keep >= number->count || number->digits[keep] != 5)
    return keep >= 0 && keep < number->count && number->digits[keep] > 5;
  return keep + 1 < number->count || number->more || (keep > 0 && number->digits[keep - 1] % 2 != 0);
}

void decimal_round(struct decimal *number, int keep) {
  if (keep >= number->count) return;
  const bool up = rounds_up(number, keep);
  number->count = (uint8_t)(keep > 0 ? keep : 0);
  number->more = false;
  if (up) {
    while (number->count > 0 && number->digits[number->count - 1] == 9) number->count--;
    if (number->count > 0) {
      number->digits[number->count - 1]++;
    } else {
      number->digits[number->count++] = 1;
      number->point++;
    }
  }
  trim(number);
}

void decimal_append(struct decimal *number, uint8_t digit) {
  if (number->count < DECIMAL_DIGITS)
    number->digits[number->count++] = digit;
  else
    number->more |= digit != 0;
}

/* The integer part. */
static bits_t integer_part(const struct decimal *number) {
  bits_t sum = 0;
  for (int k = 0; k < number->point; k++) sum = 10 * sum + decimal_digit(number, k);
  return sum;
}

static double from_bits(bits_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double decimal_value(struct decimal *number) {
  trim(number);
  if (number->count == 0 || number->point < -FAR) return 0;
  if (number->point > FAR) return (double)INFINITY;
  /* Scale so that the integer part has as many bits as the mantissa; fewer if the number is too small. */
  int exponent = 0;
  while (exponent > LEAST && number->point < WINDOW - 2) {
    multiply(number, MAX_BITS, 0);
    exponent -= MAX_BITS;
  }
  for (; number->point > WINDOW + 2; exponent += MAX_BITS) divide(number, MAX_BITS);
  for (; exponent > LEAST && integer_part(number) < FIRST; exponent--) multiply(number, 1, 0);
  for (; exponent < LEAST || integer_part(number) >= 2 * FIRST; exponent++) divide(number, 1);
  trim(number);
  decimal_round(number, number->point);
  bits_t mantissa = number->count == 0 ? 0 : integer_part(number);
  if (mantissa == 2 * FIRST) {
    mantissa = FIRST;
    exponent++;
  }
  const int biased = mantissa < FIRST ? 0 : exponent + BIAS + FRACTION;
  if (biased >= EXPONENTS) return (double)INFINITY;
  return from_bits((bits_t)biased << FRACTION | (mantissa & (FIRST - 1)));
}
