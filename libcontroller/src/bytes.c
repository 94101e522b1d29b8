/* See bytes.h. Numbers are little endian and packed on all machines. */
#include "bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define FIRST_ROOM 64
#define ALWAYS_INLINE static inline __attribute__((always_inline))

static _Noreturn void out_of_memory(void) {
  report_line("Error: out of memory");
  report_stop(1);
}

void *allocate(size_t size) {
  void *made = calloc(1, size ? size : 1);
  if (!made) out_of_memory();
  return made;
}

void *reallocate(void *old, size_t size) {
  void *made = realloc(old, size ? size : 1);
  if (!made) out_of_memory();
  return made;
}

void keep_text(char **place, const char *text) {
  const size_t size = strlen(text) + 1;
  char *copy = allocate(size);
  memcpy(copy, text, size);
  free(*place);
  *place = copy;
}

/* Writing. */

static unsigned char *more(Buffer *out, size_t size) {
  if (out->room - out->size < size) {
    size_t room = out->room ? out->room : FIRST_ROOM;
    while (room - out->size < size) room *= 2;
    out->data = reallocate(out->data, room);
    out->room = room;
  }
  out->size += size;
  return out->data + out->size - size;
}

void put(Buffer *out, const void *data, size_t size) {
  if (size) memcpy(more(out, size), data, size);
}

void put_file(Buffer *out, FILE *file, size_t most) {
  char chunk[4096];
  size_t size = sizeof chunk;
  while (size == sizeof chunk && most) {
    size = fread(chunk, 1, most < sizeof chunk ? most : sizeof chunk, file);
    put(out, chunk, size);
    most -= size;
  }
}

/* A number with its lowest byte first in memory. */
static inline uint64_t little_endian(uint64_t value) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  value = __builtin_bswap64(value);
#endif
  return value;
}

/* Inline, so that each size is a single store. */
ALWAYS_INLINE void write_number(unsigned char *place, uint64_t value, size_t bytes) {
  value = little_endian(value);
  memcpy(place, &value, bytes);
}

void put_u8(Buffer *out, unsigned value) { write_number(more(out, 1), value, 1); }

void put_u16(Buffer *out, unsigned value) { write_number(more(out, 2), value, 2); }

void put_u32(Buffer *out, uint32_t value) { write_number(more(out, 4), value, 4); }

void put_i32(Buffer *out, int32_t value) { put_u32(out, (uint32_t)value); }

void put_i32_at(Buffer *out, size_t at, int32_t value) { write_number(out->data + at, (uint32_t)value, 4); }

void put_f64(Buffer *out, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  write_number(more(out, 8), bits, 8);
}

void put_f64s(Buffer *out, const double *values, int count) {
  for (int i = 0; i < count; ++i) put_f64(out, values[i]);
}

void put_text(Buffer *out, const char *text) { put(out, text, strlen(text) + 1); }

void put_lstr16(Buffer *out, const char *text) {
  put_u16(out, (unsigned)strlen(text) + 1);
  put_text(out, text);
}

void put_lstr32(Buffer *out, const char *text) {
  put_i32(out, (int32_t)strlen(text) + 1);
  put_text(out, text);
}

void put_bytes32(Buffer *out, const void *data, size_t size) {
  put_i32(out, (int32_t)size);
  put(out, data, size);
}

void buffer_free(Buffer *buffer) {
  free(buffer->data);
  *buffer = (Buffer){0};
}

/* Reading. */

size_t left(const Reader *in) { return in->problem ? 0 : in->size - in->at; }

const unsigned char *read_raw(Reader *in, size_t size) {
  if (in->problem || in->size - in->at < size) {
    if (!in->problem) in->problem = "a message is cut off";
    return NULL;
  }
  in->at += size;
  return in->data + in->at - size;
}

ALWAYS_INLINE uint64_t read_number(Reader *in, size_t bytes) {
  const unsigned char *data = read_raw(in, bytes);
  uint64_t value = 0;
  if (data) memcpy(&value, data, bytes);
  return little_endian(value);
}

unsigned read_u8(Reader *in) { return (unsigned)read_number(in, 1); }

bool read_bool(Reader *in) { return read_u8(in) != 0; }

unsigned read_u16(Reader *in) { return (unsigned)read_number(in, 2); }

int read_i16(Reader *in) { return (int16_t)read_number(in, 2); }

uint32_t read_u32(Reader *in) { return (uint32_t)read_number(in, 4); }

int32_t read_i32(Reader *in) { return (int32_t)read_u32(in); }

double read_f64(Reader *in) {
  const uint64_t bits = read_number(in, 8);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

void read_f64s(Reader *in, double *values, int count) {
  for (int i = 0; i < count; ++i) values[i] = read_f64(in);
}

const char *read_text(Reader *in) {
  const unsigned char *start = in->data + in->at;
  const unsigned char *end = left(in) ? memchr(start, 0, left(in)) : NULL;
  if (!end) {
    if (!in->problem) in->problem = "a text has no end";
    return "";
  }
  in->at += (size_t)(end - start) + 1;
  return (const char *)start;
}

void read_kept_text(Reader *in, char **place) { keep_text(place, read_text(in)); }

const unsigned char *read_bytes32(Reader *in, size_t *size) {
  const int32_t count = read_i32(in);
  *size = count > 0 ? (size_t)count : 0;
  if (count < 0 || *size > left(in)) {
    if (!in->problem) in->problem = "a length is larger than what is left";
    *size = 0;
    return NULL;
  }
  return read_raw(in, *size);
}

int read_count(Reader *in, size_t least) {
  const int32_t count = read_i32(in);
  /* Check that the data can contain that many elements before reading them. */
  if (count < 0 || (size_t)count > left(in) / least) {
    if (!in->problem) in->problem = "a list has more elements than there are bytes";
    return 0;
  }
  return count;
}
