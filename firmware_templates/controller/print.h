/* Replacements of printf() and related functions. */
#ifndef PRINT_H
#define PRINT_H

#include <stdarg.h>
#include <stddef.h>

int controller_vprintf(const char *format, va_list values);
int controller_printf(const char *format, ...);
int controller_fprintf(void *file, const char *format, ...);
int controller_vfprintf(void *file, const char *format, va_list values);
int controller_vsnprintf(char *text, size_t size, const char *format, va_list values);
int controller_snprintf(char *text, size_t size, const char *format, ...);
int controller_vsprintf(char *text, const char *format, va_list values);
int controller_sprintf(char *text, const char *format, ...);

/* Replacements of output functions without formats. */
int controller_puts(const char *text);
int controller_putchar(int character);
int controller_fputc(int character, void *file);
int controller_putc(int character, void *file);
int controller_fputs(const char *text, void *file);
size_t controller_fwrite(const void *data, size_t size, size_t count, void *file);
int controller_fflush(void *file);

#endif
