/* Text output through the flavor. */
#ifndef TEXT_H
#define TEXT_H

#include <stdint.h>

#include "memory.h"

/* Prints a string literal from flash. */
#define PRINT(literal)                            \
  do {                                            \
    static const FLASH char in_flash[] = literal; \
    text_flash(in_flash);                         \
  } while (0)

/* Reports a call of a function, by its name, with NULL where that has no meaning. */
#define REPORT_NULL(function)                      \
  do {                                             \
    static const FLASH char in_flash[] = function; \
    text_null(in_flash);                           \
  } while (0)

void text_flash(const FLASH char *text);
void text_null(const FLASH char *function);
void text_plain(const char *text);
void text_unsigned(uint32_t number);

#endif
