/* Replacements of malloc() and related functions, if hardware.toml configures a heap. */
#ifndef HEAP_H
#define HEAP_H

#include <stddef.h>

void *controller_malloc(size_t size);
void *controller_calloc(size_t count, size_t size);
void *controller_realloc(void *memory, size_t size);
void controller_free(void *memory);
char *controller_strdup(const char *text);
char *controller_strndup(const char *text, size_t max_length);

#endif
