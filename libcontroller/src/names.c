/* See names.h. */
#include "names.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "sha1.h"

#define SOCKET_PATH 91 /* maximum length of a path in R2025a */
#define LONG_NAME 70   /* maximum length of an encoded name in R2023b */
#define LEAST 4

static const char SAFE[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~.";

void texts_add(Texts *texts, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int size = vsnprintf(NULL, 0, format, arguments) + 1;
  va_end(arguments);
  char *text = allocate((size_t)size);
  vsnprintf(text, (size_t)size, format, again);
  va_end(again);
  texts->items = reallocate(texts->items, sizeof *texts->items * ((size_t)texts->count + 1));
  texts->items[texts->count++] = text;
}

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void texts_sort(Texts *texts) {
  if (texts->count) qsort(texts->items, (size_t)texts->count, sizeof *texts->items, compare);
}

void texts_free(Texts *texts) {
  for (int i = 0; i < texts->count; ++i) free(texts->items[i]);
  free(texts->items);
  *texts = (Texts){0};
}

bool is_safe(char c) { return c && strchr(SAFE, c); }

char *encoded_name(const char *name) {
  char *made = allocate(3 * strlen(name) + 1), *to = made;
  for (const char *c = name; *c; ++c) {
    if (is_safe(*c))
      *to++ = *c;
    else
      to += sprintf(to, "%%%02X", (unsigned char)*c);
  }
  return made;
}

/* Append a name, unless it is a duplicate or not a valid folder name. */
static void add_name(Texts *names, const char *name, size_t length) {
  for (int i = 0; i < names->count; ++i) {
    if (strlen(names->items[i]) == length && !memcmp(names->items[i], name, length)) return;
  }
  if (length && !memchr(name, '/', length)) texts_add(names, "%.*s", (int)length, name);
}

void folder_names(Texts *names, const char *robot, size_t path_length) {
  char *encoded = encoded_name(robot);
  const size_t length = strlen(encoded);
  const size_t room = path_length + LEAST < SOCKET_PATH ? SOCKET_PATH - path_length : LEAST;
  const size_t limit = room / 2 * 2;
  add_name(names, encoded, length);
  add_name(names, robot, strlen(robot));
  if (length > limit || length > LONG_NAME) {
    char digits[SHA1_DIGITS + 1];
    sha1_digits(encoded, length, digits);
    add_name(names, digits, SHA1_DIGITS);
    add_name(names, digits, limit < SHA1_DIGITS ? limit : SHA1_DIGITS);
  }
  free(encoded);
}
