/* String functions. */
#include <stddef.h>
#include <string.h>
#include <webots/utils/string.h>

char *wbu_string_strsep(char **stringp, const char *delim) {
  char *start = *stringp;
  if (start == NULL) return NULL;
  char *end = start + strcspn(start, delim);
  *stringp = *end ? end + 1 : NULL;
  *end = 0;
  return start;
}
