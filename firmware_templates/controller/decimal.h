/* Decimal digits of binary numbers, and back: exact, so that numbers are written and read as on the desktop.
 */
#ifndef DECIMAL_H
#define DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#if __SIZEOF_DOUBLE__ == 8
#define DECIMAL_DIGITS 48 /* that are kept; what is further behind only decides how to round */
#else
#define DECIMAL_DIGITS 28
#endif

/* 0.d1 d2 d3 ... * 10^point; without digits it is 0. */
struct decimal {
  uint8_t digits[DECIMAL_DIGITS];
  uint8_t count;
  bool more; /* digits other than 0 were cut off */
  int16_t point;
};

/* A whole number of some bytes, the lowest one first. */
void decimal_whole(struct decimal *to, const void *number, uint8_t bytes);

/* A finite number without its sign. */
void decimal_real(struct decimal *to, double number);

/* Keep some digits and round the rest, a half to the even digit; `keep` may be negative. */
void decimal_round(struct decimal *number, int keep);

/* A digit; 0 in front of the first one and behind the last one. */
uint8_t decimal_digit(const struct decimal *number, int place);

/* Put a digit behind the last one. */
void decimal_append(struct decimal *number, uint8_t digit);

/* The nearest binary number; infinite where it is too large. The decimal is used up. */
double decimal_value(struct decimal *number);

#endif
