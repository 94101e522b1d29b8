/* String functions. */
#include <stddef.h>
#include <string.h>
#include <webots/utils/string.h>

#include "text.h"

char *wbu_string_strsep(char **stringp, const char *delim) {
  if (stringp == NULL || delim == NULL) {
    REPORT_NULL("wbu_string_strsep");
    return NULL;
  }
  char *start = *stringp;
  if (start == NULL) return NULL;
  char *end = start + strcspn(start, delim);
  *stringp = *end ? end + 1 : NULL;
  *end = 0;
  return start;
}
