/* How a robot's name becomes a part of an address or of a path, by the rules of the releases; lists of texts.
 */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char **items;
  int count;
} Texts;

/* Append a text that is made like those of printf. */
__attribute__((format(printf, 2, 3))) void texts_add(Texts *texts, const char *format, ...);
void texts_sort(Texts *texts);
void texts_free(Texts *texts);

/* True for what stands in an encoded name as it is: letters, digits and - _ ~ . */
bool is_safe(char c);

/* A name with all but letters, digits and - _ ~ . as %XX; to be freed. */
char *encoded_name(const char *name);

/* The names that the folder of a robot may have.
   path_length: of the folder of the instance and the rest of the path without the name. */
void folder_names(Texts *names, const char *robot, size_t path_length);

#endif
