/* Reading of PNG files with 8 bits per channel and without interlacing. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "image_files.h"
#include "png.h"

#define LARGEST_FILE (256 << 20)
#define MOST_PIXELS (1u << 26)
#define CHUNK_EDGE 12 /* size of a chunk's length, name and checksum, in bytes */

static const char DAMAGED[] = "it is a damaged or unusual PNG file";

typedef struct {
  uint32_t width, height;
  unsigned color, channels;
  Buffer packed;
  const unsigned char *palette;
  size_t palette_size;
} Png;

static uint32_t big(const unsigned char *data) {
  return (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
}

static bool take_head(Png *png, const unsigned char *data, size_t size) {
  static const unsigned char CHANNELS[] = {1, 0, 3, 1, 2, 0, 4};
  if (size != 13 || data[8] != 8 || data[9] > PNG_RGBA || data[12]) return false;
  png->width = big(data);
  png->height = big(data + 4);
  png->color = data[9];
  png->channels = CHANNELS[data[9]];
  return png->channels && png->width && png->height && png->width <= MOST_PIXELS / png->height;
}

/* Process the chunks. */
static bool take_chunks(Png *png, const unsigned char *data, size_t size) {
  size_t at = PNG_SIGNATURE_SIZE;
  while (size - at >= CHUNK_EDGE) {
    const size_t length = big(data + at);
    const unsigned char *name = data + at + 4, *content = name + 4;
    if (length > size - at - CHUNK_EDGE || png_checksum(name, length + 4) != big(content + length))
      return false;
    if (!memcmp(name, "IHDR", 4) && !take_head(png, content, length)) return false;
    if (!memcmp(name, "IDAT", 4)) put(&png->packed, content, length);
    if (!memcmp(name, "PLTE", 4)) {
      png->palette = content;
      png->palette_size = length;
    }
    at += length + CHUNK_EDGE;
  }
  return png->width && (png->color != PNG_PALETTE || png->palette);
}

/* The Paeth predictor: left, above or corner, whichever is nearest to left + above - corner. */
static int nearest(int left, int above, int corner) {
  const int estimate = left + above - corner;
  const int a = abs(estimate - left), b = abs(estimate - above), c = abs(estimate - corner);
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/* Undo the filter of a row: difference to the left, above, their mean, or the Paeth predictor. */
static bool unfilter(unsigned char *row, const unsigned char *before, size_t stride, size_t step) {
  const unsigned kind = row[0];
  for (size_t x = 1; x <= stride && kind; ++x) {
    const int left = x > step ? row[x - step] : 0, above = before ? before[x] : 0;
    const int corner = before && x > step ? before[x - step] : 0;
    const int guesses[] = {0, left, above, (left + above) / 2, nearest(left, above, corner)};
    if (kind > 4) return false;
    row[x] = (unsigned char)(row[x] + guesses[kind]);
  }
  return true;
}

static bool put_pixel(const Png *png, const unsigned char *from, unsigned char *to) {
  const bool gray = png->channels < 3;
  if (png->color == PNG_PALETTE) {
    if (3u * from[0] + 3 > png->palette_size) return false;
    from = png->palette + 3 * (size_t)from[0];
  }
  for (int i = 0; i < 3; ++i) to[i] = from[gray && png->color != PNG_PALETTE ? 0 : i];
  to[3] = png->color == PNG_GRAY_ALPHA || png->color == PNG_RGBA ? from[png->channels - 1] : 255;
  return true;
}

static bool unpack(const Png *png, unsigned char *pixels) {
  const size_t stride = (size_t)png->width * png->channels, line = stride + 1;
  unsigned char *rows = allocate(line * png->height);
  bool fine = inflate_zlib(png->packed.data, png->packed.size, rows, line * png->height);
  for (size_t y = 0; y < png->height && fine; ++y) {
    unsigned char *row = rows + y * line;
    fine = unfilter(row, y ? row - line : NULL, stride, png->channels);
    for (size_t x = 0; x < png->width && fine; ++x)
      fine = put_pixel(png, row + 1 + x * png->channels, pixels + 4 * (y * png->width + x));
  }
  free(rows);
  return fine;
}

static const char *read_file(const char *path, Buffer *out) {
  FILE *file = fopen(path, "rb");
  if (!file) return strerror(errno);
  put_file(out, file, LARGEST_FILE);
  fclose(file);
  if (out->size < PNG_SIGNATURE_SIZE || memcmp(out->data, PNG_SIGNATURE, PNG_SIGNATURE_SIZE))
    return "only PNG can be read";
  return NULL;
}

const char *read_image_file(const char *path, int *width, int *height, unsigned char **pixels) {
  Buffer file = {0};
  Png png = {0};
  const char *problem = read_file(path, &file);
  *pixels = NULL;
  if (!problem && !take_chunks(&png, file.data, file.size)) problem = DAMAGED;
  if (!problem) {
    *width = (int)png.width;
    *height = (int)png.height;
    *pixels = allocate(4 * (size_t)png.width * png.height);
    problem = unpack(&png, *pixels) ? NULL : DAMAGED;
  }
  if (problem) {
    free(*pixels);
    *pixels = NULL;
  }
  buffer_free(&png.packed);
  buffer_free(&file);
  return problem;
}
