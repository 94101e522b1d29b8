/* Numbers as digits. */
#ifndef DIGITS_H
#define DIGITS_H

#define DIGITS_MOST 40 /* characters of any number */

/* Write the digits of a number to a base; how many there are. */
int digits_of(char *text, unsigned long number, unsigned base);

/* Write a number as %f, %e or %g do; how many characters there are. */
int digits_of_real(char *text, double number, int precision, char kind);

#endif
