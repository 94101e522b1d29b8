/* Encode a robot's name as a part of an address or path, by the rules of each release; lists of strings.
 */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "platform/format.h"

typedef struct {
  char **items;
  int count;
} Texts;

/* Append a string formatted as by printf. */
PRINTS(2, 3) void texts_add(Texts *texts, const char *format, ...);
void texts_sort(Texts *texts);
void texts_free(Texts *texts);

/* True for characters that are not encoded: letters, digits and - _ ~ . */
bool is_safe(char c);

/* Encode a name: bytes other than letters, digits and - _ ~ . become %XX. The caller frees the result. */
char *encoded_name(const char *name);

/* The possible names of a robot's folder.
   path_length: length of the socket's path without the name. */
void folder_names(Texts *names, const char *robot, size_t path_length);

#endif
