/* The minimum and maximum of two numbers; the first one if they are equal or the second is NaN. */
#ifndef EXTREMES_H
#define EXTREMES_H

static inline double lesser(double a, double b) { return b < a ? b : a; }

static inline double greater(double a, double b) { return b > a ? b : a; }

#endif
