/* Unbuffered character output. All files write to the flavor's output. */
#include <stdio.h>

#include "flavor.h"
#include "print.h"

#ifdef __PICOLIBC__ /* picolibc requires the program to define them; they are not used */
FILE *const stdout = NULL;
FILE *const stderr = NULL;
#endif

int controller_fputs(const char *text, void *file) {
  (void)file;
  while (*text) flavor_text(*text++);
  return 1;
}

int controller_puts(const char *text) {
  controller_fputs(text, NULL);
  return controller_putchar('\n');
}

int controller_putchar(int character) {
  flavor_text((char)character);
  return character;
}

int controller_fputc(int character, void *file) {
  (void)file;
  return controller_putchar(character);
}

int controller_putc(int character, void *file) { return controller_fputc(character, file); }

size_t controller_fwrite(const void *data, size_t size, size_t count, void *file) {
  (void)file;
  for (size_t k = 0; k < size * count; k++) flavor_text(((const char *)data)[k]);
  return count;
}

int controller_fflush(void *file) {
  (void)file;
  return 0;
}
