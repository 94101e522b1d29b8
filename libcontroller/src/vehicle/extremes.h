/* The lesser and the greater of two numbers; the first one when they are equal, or the second is none. */
#ifndef EXTREMES_H
#define EXTREMES_H

static inline double lesser(double a, double b) { return b < a ? b : a; }

static inline double greater(double a, double b) { return b > a ? b : a; }

#endif
