/* Messages to people whose controller asks for something that cannot be: on stderr, as Webots writes them. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>

/* Say that a call was wrong; the controller goes on with a neutral value. */
__attribute__((format(printf, 2, 3))) void report_error(const char *function, const char *format, ...);

/* Say that a call does not do what one may expect; `once`: the same text a single time. */
__attribute__((format(printf, 3, 4))) void report_warning(const char *function, bool once, const char *format,
                                                          ...);

/* A number in the shortest form that reads back the same; lives until some more were made. */
const char *number_text(double value);

/* Tell that an argument is not a number; false when it is one. */
bool is_nan(const char *function, const char *name, double value);

/* A hint at the name that is most similar, `; did you mean "x"?`; "" when none is. */
const char *closest(const char *name, const char *const *names, int count);

#endif
