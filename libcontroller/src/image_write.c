/* Writing of PNG files: rows without filter, in stored (uncompressed) deflate blocks (RFC 1951); and of
   Radiance files. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "image_files.h"
#include "image_jpeg.h"
#include "png.h"

#define STORED 65535 /* maximum size of a stored block, in bytes */
#define BASE 65521   /* modulus of Adler-32, RFC 1950 */

static void put_big(Buffer *out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) put_u8(out, value >> shift & 255);
}

uint32_t png_checksum(const unsigned char *data, size_t size) {
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t i = 0; i < size; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

static void put_chunk(Buffer *out, const char name[4], const Buffer *content) {
  put_big(out, (uint32_t)content->size);
  const size_t start = out->size;
  put(out, name, 4);
  put(out, content->data, content->size);
  put_big(out, png_checksum(out->data + start, out->size - start));
}

/* The rows as a zlib stream. */
static void put_stored(Buffer *out, const Buffer *rows) {
  uint32_t a = 1, b = 0;
  put(out, "\x78\x01", 2);
  for (size_t at = 0; at < rows->size; at += STORED) {
    const size_t rest = rows->size - at, size = rest < STORED ? rest : STORED;
    put_u8(out, size == rest);
    put_u16(out, (unsigned)size);
    put_u16(out, ~(unsigned)size & STORED);
    put(out, rows->data + at, size);
  }
  for (size_t i = 0; i < rows->size; ++i) {
    a = (a + rows->data[i]) % BASE;
    b = (b + a) % BASE;
  }
  put_big(out, b << 16 | a);
}

static void put_row(Buffer *rows, const unsigned char *row, int width, int channels) {
  put_u8(rows, 0); /* no filter */
  if (channels == 1) {
    put(rows, row, (size_t)width);
    return;
  }
  for (const unsigned char *p = row; p < row + 4 * width; p += 4) {
    const unsigned char rgba[] = {p[2], p[1], p[0], p[3]};
    put(rows, rgba, 4);
  }
}

static void put_png(Buffer *out, int width, int height, const unsigned char *pixels, int channels) {
  Buffer head = {0}, rows = {0}, packed = {0}, none = {0};
  put_big(&head, (uint32_t)width);
  put_big(&head, (uint32_t)height);
  put_u8(&head, 8);
  put_u8(&head, channels == 1 ? PNG_GRAY : PNG_RGBA);
  put(&head, "\0\0\0", 3);
  for (int y = 0; y < height; ++y)
    put_row(&rows, pixels + (size_t)y * (size_t)width * (size_t)channels, width, channels);
  put_stored(&packed, &rows);
  put(out, PNG_SIGNATURE, PNG_SIGNATURE_SIZE);
  put_chunk(out, "IHDR", &head);
  put_chunk(out, "IDAT", &packed);
  put_chunk(out, "IEND", &none);
  buffer_free(&head);
  buffer_free(&rows);
  buffer_free(&packed);
}

/* Write a file. Frees the content; returns NULL or an error. */
static const char *write_file(const char *path, Buffer *content) {
  FILE *file = fopen(path, "wb");
  if (!file) {
    const char *problem = strerror(errno);
    buffer_free(content);
    return problem;
  }
  const bool written = fwrite(content->data, 1, content->size, file) == content->size;
  buffer_free(content);
  return fclose(file) || !written ? "not all of it could be written" : NULL;
}

static bool ends(const char *path, const char *lower, const char *upper) {
  const char *ending = strrchr(path, '.');
  return ending && (!strcmp(ending, lower) || !strcmp(ending, upper));
}

bool is_jpeg_file(const char *path) { return ends(path, ".jpg", ".JPG") || ends(path, ".jpeg", ".JPEG"); }

const char *write_image_file(const char *path, int width, int height, const unsigned char *pixels,
                             int channels, int quality) {
  const bool is_jpeg = is_jpeg_file(path);
  if (!is_jpeg && !ends(path, ".png", ".PNG")) return "only PNG (.png) and JPEG (.jpg) can be written";
  Buffer out = {0};
  if (is_jpeg)
    put_jpeg(&out, width, height, pixels, channels, quality);
  else
    put_png(&out, width, height, pixels, channels);
  return write_file(path, &out);
}

bool is_float_file(const char *path) { return ends(path, ".hdr", ".HDR"); }

const char *write_float_file(const char *path, int width, int height, const float *values) {
  Buffer out = {0};
  char size[64];
  snprintf(size, sizeof size, "-Y %d +X %d\n", height, width);
  put(&out, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n", 35);
  put(&out, size, strlen(size));
  for (size_t i = 0; i < (size_t)width * (size_t)height; ++i) {
    int exponent;
    const unsigned mantissa = values[i] < 1e-32f ? 0 : (unsigned)(frexpf(values[i], &exponent) * 256);
    for (int channel = 0; channel < 3; ++channel) put_u8(&out, mantissa);
    put_u8(&out, mantissa ? (unsigned)(exponent + 128) : 0);
  }
  return write_file(path, &out);
}
