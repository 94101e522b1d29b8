/* A heap of a fixed size: the first block that is large enough is taken, and free neighbors become one. */
#include "heap.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "config.h"

#if HEAP_BYTES > 0

struct block {
  size_t size; /* with this head */
  bool used;
};

#define UNIT _Alignof(max_align_t)
#define ROUNDED(size) (((size) + UNIT - 1) / UNIT * UNIT)
#define HEAD ROUNDED(sizeof(struct block))
#define WHOLE (HEAP_BYTES / UNIT * UNIT)

static _Alignas(max_align_t) uint8_t heap[WHOLE];
static bool started;

static struct block *block_at(size_t place) { return (struct block *)(void *)(heap + place); }

/* Put free blocks behind this one into it. */
static void join(size_t place) {
  struct block *one = block_at(place);
  while (place + one->size < WHOLE && !block_at(place + one->size)->used)
    one->size += block_at(place + one->size)->size;
}

void *controller_malloc(size_t size) {
  if (!started) {
    started = true;
    block_at(0)->size = WHOLE;
  }
  if (size > WHOLE) return NULL;
  const size_t needed = HEAD + ROUNDED(size);
  for (size_t place = 0; place < WHOLE; place += block_at(place)->size) {
    struct block *one = block_at(place);
    if (one->used) continue;
    join(place);
    if (one->size < needed) continue;
    if (one->size > needed + HEAD) {
      *block_at(place + needed) = (struct block){one->size - needed, false};
      one->size = needed;
    }
    one->used = true;
    return heap + place + HEAD;
  }
  return NULL;
}

void controller_free(void *memory) {
  if (memory != NULL) block_at((size_t)((uint8_t *)memory - heap) - HEAD)->used = false;
}

void *controller_calloc(size_t count, size_t size) {
  if (size > 0 && count > SIZE_MAX / size) return NULL;
  void *const memory = controller_malloc(count * size);
  return memory == NULL ? NULL : memset(memory, 0, count * size);
}

void *controller_realloc(void *memory, size_t size) {
  void *const other = controller_malloc(size);
  if (memory == NULL || other == NULL) return other;
  const size_t had = block_at((size_t)((uint8_t *)memory - heap) - HEAD)->size - HEAD;
  memcpy(other, memory, had < size ? had : size);
  controller_free(memory);
  return other;
}

char *controller_strndup(const char *text, size_t most) {
  size_t length = 0;
  while (length < most && text[length]) length++;
  char *const copy = controller_malloc(length + 1);
  if (copy != NULL) {
    memcpy(copy, text, length);
    copy[length] = 0;
  }
  return copy;
}

char *controller_strdup(const char *text) { return controller_strndup(text, SIZE_MAX); }

#endif
