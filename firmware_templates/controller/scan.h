/* What a controller's strtod, sscanf and their like become. */
#ifndef SCAN_H
#define SCAN_H

#include <stdarg.h>

double controller_strtod(const char *text, char **end);
float controller_strtof(const char *text, char **end);
double controller_atof(const char *text);
int controller_vsscanf(const char *text, const char *format, va_list values);
int controller_sscanf(const char *text, const char *format, ...);

/* Read a real number of at most `most` characters; a pointer behind it, or `text` where there is none. */
const char *scan_real(const char *text, int most, double *number);

#endif
