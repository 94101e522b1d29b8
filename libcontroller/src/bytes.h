/* Bytes of the protocol: growing buffers for writing, and bounds-checked readers. */
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Allocate memory; end the program with an error message on failure. */
void *allocate(size_t size);
void *reallocate(void *old, size_t size);

/* Replace a string by a copy of another one; the old string is freed. */
void keep_text(char **place, const char *text);

typedef struct {
  unsigned char *data;
  size_t size, room;
} Buffer;

void put(Buffer *out, const void *data, size_t size);

/* The rest of a file, or its first `most` bytes. */
void put_file(Buffer *out, FILE *file, size_t most);

void put_u8(Buffer *out, unsigned value);
void put_u16(Buffer *out, unsigned value);
void put_i32(Buffer *out, int32_t value);
void put_u32(Buffer *out, uint32_t value);
void put_f64(Buffer *out, double value);
void put_f64s(Buffer *out, const double *values, int count);

/* A NUL-terminated string; lstr16 and lstr32 are preceded by their length, which includes the NUL. */
void put_text(Buffer *out, const char *text);
void put_lstr16(Buffer *out, const char *text);
void put_lstr32(Buffer *out, const char *text);

/* Bytes preceded by their length (i32). */
void put_bytes32(Buffer *out, const void *data, size_t size);

/* Overwrite the four bytes at `at` with a number. */
void put_i32_at(Buffer *out, size_t at, int32_t value);

void buffer_free(Buffer *buffer);

/* Reads at `at`. If bytes are missing, it returns zeros and sets `problem`. */
typedef struct {
  const unsigned char *data;
  size_t size, at;
  const char *problem;
} Reader;

size_t left(const Reader *in);
unsigned read_u8(Reader *in);
bool read_bool(Reader *in);
unsigned read_u16(Reader *in);
int read_i16(Reader *in);
int32_t read_i32(Reader *in);
uint32_t read_u32(Reader *in);
double read_f64(Reader *in);
void read_f64s(Reader *in, double *values, int count);

/* A NUL-terminated string; it is valid as long as the bytes. */
const char *read_text(Reader *in);
void read_kept_text(Reader *in, char **place);

/* `size` raw bytes, or NULL if there are fewer. */
const unsigned char *read_raw(Reader *in, size_t size);

/* Bytes preceded by their length (i32). */
const unsigned char *read_bytes32(Reader *in, size_t *size);

/* The number of elements of at least `least` bytes each; 0 if the data cannot contain that many. */
int read_count(Reader *in, size_t least);

#endif
