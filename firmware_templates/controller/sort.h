/* Replacement of qsort(). */
#ifndef SORT_H
#define SORT_H

#include <stddef.h>

void controller_qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
