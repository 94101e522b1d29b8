/* A heap of fixed size: allocates the first block that is large enough; adjacent free blocks are merged. */
#include "heap.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "config.h"

#if HEAP_BYTES > 0

struct block {
  size_t size; /* including this header */
  bool used;
};

#define UNIT _Alignof(max_align_t)
#define ROUND_UP(size) (((size) + UNIT - 1) / UNIT * UNIT)
#define HEAD ROUND_UP(sizeof(struct block))
#define CAPACITY (HEAP_BYTES / UNIT * UNIT)

static _Alignas(max_align_t) uint8_t heap[CAPACITY];
static bool started;

static struct block *block_at(size_t offset) { return (struct block *)(void *)(heap + offset); }

/* Merges the free blocks after this one into it. */
static void join(size_t offset) {
  struct block *one = block_at(offset);
  while (offset + one->size < CAPACITY && !block_at(offset + one->size)->used)
    one->size += block_at(offset + one->size)->size;
}

void *controller_malloc(size_t size) {
  if (!started) {
    started = true;
    block_at(0)->size = CAPACITY;
  }
  if (size > CAPACITY) return NULL;
  const size_t needed = HEAD + ROUND_UP(size);
  for (size_t offset = 0; offset < CAPACITY; offset += block_at(offset)->size) {
    struct block *one = block_at(offset);
    if (one->used) continue;
    join(offset);
    if (one->size < needed) continue;
    if (one->size > needed + HEAD) {
      *block_at(offset + needed) = (struct block){one->size - needed, false};
      one->size = needed;
    }
    one->used = true;
    return heap + offset + HEAD;
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

char *controller_strndup(const char *text, size_t max_length) {
  size_t length = 0;
  while (length < max_length && text[length]) length++;
  char *const copy = controller_malloc(length + 1);
  if (copy != NULL) {
    memcpy(copy, text, length);
    copy[length] = 0;
  }
  return copy;
}

char *controller_strdup(const char *text) { return controller_strndup(text, SIZE_MAX); }

#endif
