/* Sorts in place. Equal items keep their order, as on the desktop. */
#include "sort.h"

#include <stdint.h>

static void swap(uint8_t *one, uint8_t *other, size_t size) {
  for (size_t k = 0; k < size; k++) {
    const uint8_t byte = one[k];
    one[k] = other[k];
    other[k] = byte;
  }
}

void controller_qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  uint8_t *const first = items;
  for (size_t sorted = 1; sorted < count; sorted++)
    for (uint8_t *item = first + sorted * size; item > first && compare(item - size, item) > 0; item -= size)
      swap(item - size, item, size);
}
