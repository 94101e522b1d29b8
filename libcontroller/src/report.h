/* Errors and warnings about a controller's API calls, printed on stderr as by Webots. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>

/* Print an error about an API call; the controller continues. */
__attribute__((format(printf, 2, 3))) void report_error(const char *function, const char *format, ...);

/* Print a warning about an API call; `once`: print the same text only once. */
__attribute__((format(printf, 3, 4))) void report_warning(const char *function, bool once, const char *format,
                                                          ...);

/* A number in its shortest exact form; the string is valid for a few more calls. */
const char *number_text(double value);

/* True, after reporting an error, if an argument is NaN. */
bool is_nan(const char *function, const char *name, double value);

/* True, after reporting an error, if a pointer argument is NULL. */
bool is_null(const char *function, const char *name, const void *pointer);

/* A hint with the most similar name, `; did you mean "x"?`, or "". */
const char *closest(const char *name, const char *const *names, int count);

#endif
