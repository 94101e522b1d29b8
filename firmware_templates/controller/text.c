/* Text output. */
#include "text.h"

#include "flavor.h"

#define DIGITS 10 /* of 2^32 */

void text_flash(const FLASH char *text) {
  while (*text) flavor_text(*text++);
}

void text_null(const FLASH char *function) {
  PRINT("wbridge: ");
  text_flash(function);
  PRINT("() called with NULL\n");
}

void text_plain(const char *text) {
  while (*text) flavor_text(*text++);
}

void text_unsigned(uint32_t number) {
  char digits[DIGITS];
  uint8_t count = 0;
  do digits[count++] = (char)('0' + number % 10);
  while (number /= 10);
  while (count > 0) flavor_text(digits[--count]);
}
