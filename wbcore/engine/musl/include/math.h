// What musl's sources of the functions see instead of the system's <math.h>, which declares other things
// under the names of musl's internal functions.
#pragma once

typedef float float_t;
typedef double double_t;

#define NAN __builtin_nanf("")
#define INFINITY __builtin_inff()
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)

double acos(double);
double acosh(double);
double asin(double);
double asinh(double);
double atan(double);
double atan2(double, double);
double atanh(double);
double cbrt(double);
double cos(double);
double cosh(double);
double erf(double);
double erfc(double);
double exp(double);
double exp2(double);
double expm1(double);
double fabs(double);
double floor(double);
double hypot(double, double);
double log(double);
double log10(double);
double log1p(double);
double log2(double);
double pow(double, double);
double scalbn(double, int);
double sin(double);
void sincos(double, double *, double *);
double sinh(double);
double sqrt(double);
double tan(double);
double tanh(double);
