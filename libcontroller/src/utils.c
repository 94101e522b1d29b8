/* Utility functions: strings and system properties (wbu_string_..., wbu_system_...). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webots/utils/string.h>
#include <webots/utils/system.h>

#include "address.h"
#include "bytes.h"
#include "platform/system.h"
#include "report.h"

char *wbu_string_replace(char *value, const char *before, const char *after) {
  if (is_null(__func__, "value", value) || is_null(__func__, "before", before) ||
      is_null(__func__, "after", after))
    return NULL;
  Buffer out = {0};
  const size_t size = strlen(before);
  const char *at = value, *found;
  while (size && (found = strstr(at, before))) {
    put(&out, at, (size_t)(found - at));
    put(&out, after, strlen(after));
    at = found + size;
  }
  put_text(&out, at);
  return (char *)out.data;
}

char *wbu_string_strsep(char **stringp, const char *delim) {
  if (is_null(__func__, "stringp", stringp) || is_null(__func__, "delim", delim)) return NULL;
  char *start = *stringp;
  if (!start) return NULL;
  char *end = start + strcspn(start, delim);
  *stringp = *end ? end + 1 : NULL;
  *end = '\0';
  return start;
}

const char *wbu_system_getenv(const char *variable) {
  return is_null(__func__, "variable", variable) ? NULL : getenv(variable);
}

const char *wbu_system_short_path(const char *path) { return is_null(__func__, "path", path) ? "" : path; }

const char *wbu_system_tmpdir(void) { return system_temporary(); }

const char *wbu_system_webots_instance_path(bool refresh) {
  static char *path;
  Address address;
  Texts folders = {0};
  (void)refresh; /* each call searches again */
  free(path);
  path = NULL;
  if (address_from_environment(&address)) instance_folders(&address, &folders);
  for (int i = 0; i < folders.count && !path; ++i) {
    if (!system_exists(folders.items[i])) continue;
    path = allocate(strlen(folders.items[i]) + 2);
    sprintf(path, "%s/", folders.items[i]);
  }
  texts_free(&folders);
  address_free(&address);
  return path;
}
