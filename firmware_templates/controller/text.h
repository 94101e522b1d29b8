/* Texts for people. Where they go, the flavor knows. */
#ifndef TEXT_H
#define TEXT_H

#include <stdint.h>

#include "memory.h"

/* Say a literal, which lies in flash. */
#define SAY(literal)                          \
  do {                                        \
    static const FLASH char said[] = literal; \
    text_flash(said);                         \
  } while (0)

void text_flash(const FLASH char *text);
void text_plain(const char *text);
void text_unsigned(uint32_t number);

#endif
