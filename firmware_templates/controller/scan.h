/* Replacements of strtod(), sscanf() and related functions. */
#ifndef SCAN_H
#define SCAN_H

#include <stdarg.h>

double controller_strtod(const char *text, char **end);
float controller_strtof(const char *text, char **end);
double controller_atof(const char *text);
int controller_vsscanf(const char *text, const char *format, va_list values);
int controller_sscanf(const char *text, const char *format, ...);

/* Reads a real number of at most `max_length` characters; returns a pointer after it, or `text` if there is
 * none. */
const char *scan_real(const char *text, int max_length, double *number);

#endif
