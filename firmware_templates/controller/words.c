/* Replacement of strtok(): on some boards the C library's version needs a heap. */
#include "words.h"

#include <string.h>

char *controller_strtok(char *text, const char *separators) {
  static char *rest;
  char *word = text != NULL ? text : rest;
  if (word == NULL) return NULL;
  word += strspn(word, separators);
  rest = NULL;
  if (*word == 0) return NULL;
  char *const end = word + strcspn(word, separators);
  if (*end) {
    *end = 0;
    rest = end + 1;
  }
  return word;
}
