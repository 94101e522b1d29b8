/* How compilers check the arguments of functions that print as printf() does. */
#ifndef FORMAT_H
#define FORMAT_H

#include <stdio.h>

/* MinGW's headers say whether printf() is that of C, which knows %zu, or that of the system. */
#ifdef __MINGW_PRINTF_FORMAT
#define PRINTS(format_place, first) __attribute__((format(__MINGW_PRINTF_FORMAT, format_place, first)))
#else
#define PRINTS(format_place, first) __attribute__((format(printf, format_place, first)))
#endif

#endif
