/* Exact conversion between binary and decimal numbers, so that controllers print and read numbers as on the
 * desktop. */
#ifndef DECIMAL_H
#define DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#if __SIZEOF_DOUBLE__ == 8
#define DECIMAL_DIGITS 48 /* digits kept; further digits only affect rounding */
#else
#define DECIMAL_DIGITS 28
#endif

/* 0.d1 d2 d3 ... * 10^point; 0 if there are no digits. */
struct decimal {
  uint8_t digits[DECIMAL_DIGITS];
  uint8_t count;
  bool more; /* nonzero digits were cut off */
  int16_t point;
};

/* Converts an integer of some bytes, least significant first. */
void decimal_integer(struct decimal *to, const void *number, uint8_t bytes);

/* Converts the absolute value of a finite number. */
void decimal_real(struct decimal *to, double number);

/* Rounds to `keep` digits, which may be negative; ties round to even. */
void decimal_round(struct decimal *number, int keep);

/* A digit; 0 before the first and after the last one. */
uint8_t decimal_digit(const struct decimal *number, int index);

/* Appends a digit. */
void decimal_append(struct decimal *number, uint8_t digit);

/* Returns the nearest binary number; infinity if it is too large. Modifies the decimal. */
double decimal_value(struct decimal *number);

#endif
