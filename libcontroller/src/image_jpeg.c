/* Writing of JPEG files (ITU-T T.81): baseline, Y, Cb and Cr without subsampling (JFIF), with the tables of
   Annex K; the quality scales the quantization tables as the Independent JPEG Group does. */
#include "image_jpeg.h"

#include <math.h>
#include <string.h>

#include "bytes.h"

#define SIDE 8
#define CELLS 64
#define PI 3.14159265358979

static const unsigned char zigzag[CELLS] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                            12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                            35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                            58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

/* Tables K.1 and K.2: quantization of brightness and color. */
static const unsigned char quanta[2][CELLS] = {
    {16, 11,  10,  16, 24, 40, 51, 61, 12,  12,  14,  19,  26, 58, 60, 55,  14,  13,  16,  24, 40, 57,
     69, 56,  14,  17, 22, 29, 51, 87, 80,  62,  18,  22,  37, 56, 68, 109, 103, 77,  24,  35, 55, 64,
     81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98,  112, 100, 103, 99},
    {17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99,
     99, 99, 47, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
     99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99}};

/* Tables K.3 to K.6: numbers of codes by length (from 1), and symbols in the order of their codes. */
typedef struct {
  unsigned char counts[16];
  unsigned char symbols[162];
} CodeTable;

static const CodeTable code_tables[4] = {
    {{0, 1, 5, 1, 1, 1, 1, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
    {{0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125},
     {0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22,
      0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33,
      0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34,
      0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55,
      0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76,
      0x77, 0x78, 0x79, 0x7a, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96,
      0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5,
      0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4,
      0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1,
      0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa}},
    {{0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
    {{0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119},
     {0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13,
      0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33, 0x52, 0xf0, 0x15, 0x62,
      0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17, 0x18, 0x19, 0x1a, 0x26, 0x27, 0x28, 0x29,
      0x2a, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54,
      0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75,
      0x76, 0x77, 0x78, 0x79, 0x7a, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94,
      0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3,
      0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2,
      0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea,
      0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa}}};

typedef struct {
  Buffer *out;
  uint32_t bits; /* not yet written */
  int count;
  unsigned char steps[2][CELLS]; /* quantization, by row and column */
  uint16_t codes[4][256];
  unsigned char lengths[4][256];
  double cosines[SIDE][SIDE]; /* frequency, place; with the scale of the transform */
} Writer;

static int symbols_of(const CodeTable *table) {
  int sum = 0;
  for (int i = 0; i < 16; ++i) sum += table->counts[i];
  return sum;
}

static void prepare(Writer *self, int quality) {
  const int scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  for (int t = 0; t < 2; ++t)
    for (int i = 0; i < CELLS; ++i) {
      const int step = (quanta[t][i] * scale + 50) / 100;
      self->steps[t][i] = (unsigned char)(step < 1 ? 1 : step > 255 ? 255 : step);
    }
  for (int t = 0; t < 4; ++t) {
    unsigned code = 0;
    int at = 0;
    for (int size = 1; size <= 16; ++size, code <<= 1)
      for (int i = 0; i < code_tables[t].counts[size - 1]; ++i) {
        const unsigned char symbol = code_tables[t].symbols[at++];
        self->codes[t][symbol] = (uint16_t)code++;
        self->lengths[t][symbol] = (unsigned char)size;
      }
  }
  for (int u = 0; u < SIDE; ++u)
    for (int x = 0; x < SIDE; ++x)
      self->cosines[u][x] = (u ? 0.5 : sqrt(0.125)) * cos((2 * x + 1) * u * PI / 16);
}

/* Entropy-coded bits; a byte of 255 is followed by 0. */
static void put_bits(Writer *self, unsigned value, int count) {
  self->bits = self->bits << count | value;
  self->count += count;
  while (self->count >= 8) {
    const unsigned byte = self->bits >> (self->count - 8) & 255;
    put_u8(self->out, byte);
    if (byte == 255) put_u8(self->out, 0);
    self->count -= 8;
  }
  self->bits &= (1u << self->count) - 1;
}

/* A symbol for zeros and the size of a number, then the number; negative ones count from below. */
static void put_number(Writer *self, int table, int zeros, int number) {
  int size = 0;
  for (int rest = number < 0 ? -number : number; rest; rest >>= 1) ++size;
  const int symbol = zeros << 4 | size;
  put_bits(self, self->codes[table][symbol], self->lengths[table][symbol]);
  if (size) put_bits(self, (unsigned)(number < 0 ? number + (1 << size) - 1 : number), size);
}

/* The discrete cosine transform, quantized. */
static void transform(const Writer *self, const double *cells, const unsigned char *steps, int *numbers) {
  double rows[CELLS];
  for (int y = 0; y < SIDE; ++y)
    for (int u = 0; u < SIDE; ++u) {
      double sum = 0;
      for (int x = 0; x < SIDE; ++x) sum += cells[SIDE * y + x] * self->cosines[u][x];
      rows[SIDE * y + u] = sum;
    }
  for (int v = 0; v < SIDE; ++v)
    for (int u = 0; u < SIDE; ++u) {
      double sum = 0;
      for (int y = 0; y < SIDE; ++y) sum += rows[SIDE * y + u] * self->cosines[v][y];
      numbers[SIDE * v + u] = (int)lround(sum / steps[SIDE * v + u]);
    }
}

static int put_block(Writer *self, const double *cells, int is_color, int before) {
  int numbers[CELLS], zeros = 0, last = CELLS - 1;
  const int table = 2 * is_color;
  transform(self, cells, self->steps[is_color], numbers);
  put_number(self, table, 0, numbers[0] - before);
  while (last > 0 && !numbers[zigzag[last]]) --last;
  for (int i = 1; i <= last; ++i) {
    const int number = numbers[zigzag[i]];
    if (!number) {
      ++zeros;
      continue;
    }
    for (; zeros > 15; zeros -= 16)
      put_bits(self, self->codes[table + 1][0xf0], self->lengths[table + 1][0xf0]);
    put_number(self, table + 1, zeros, number);
    zeros = 0;
  }
  if (last < CELLS - 1) put_bits(self, self->codes[table + 1][0], self->lengths[table + 1][0]);
  return numbers[0];
}

static void put_u16_big(Buffer *out, int value) {
  put_u8(out, (unsigned)value >> 8);
  put_u8(out, (unsigned)value & 255);
}

static void put_head(const Writer *self, int width, int height, int parts) {
  Buffer *out = self->out;
  put(out, "\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0", 20);
  for (int t = 0; t < 2; ++t) {
    put(out, "\xff\xdb\0\x43", 4);
    put_u8(out, (unsigned)t);
    for (int i = 0; i < CELLS; ++i) put_u8(out, self->steps[t][zigzag[i]]);
  }
  put(out, "\xff\xc0", 2);
  put_u16_big(out, 8 + 3 * parts);
  put_u8(out, 8);
  put_u16_big(out, height);
  put_u16_big(out, width);
  put_u8(out, (unsigned)parts);
  for (int i = 0; i < parts; ++i) {
    const unsigned char part[] = {(unsigned char)(i + 1), 0x11, i > 0};
    put(out, part, 3);
  }
  for (int t = 0; t < 4; ++t) {
    const int count = symbols_of(&code_tables[t]);
    put(out, "\xff\xc4", 2);
    put_u16_big(out, 19 + count);
    put_u8(out, (unsigned)((t & 1) << 4 | t >> 1));
    put(out, code_tables[t].counts, 16);
    put(out, code_tables[t].symbols, (size_t)count);
  }
  put(out, "\xff\xda", 2);
  put_u16_big(out, 6 + 2 * parts);
  put_u8(out, (unsigned)parts);
  for (int i = 0; i < parts; ++i) {
    const unsigned char part[] = {(unsigned char)(i + 1), i ? 0x11 : 0};
    put(out, part, 2);
  }
  put(out, "\0\x3f\0", 3);
}

/* Brightness (0) or a color (1: blue, 2: red) of a pixel, around 0. */
static double part_of(const unsigned char *pixel, int channels, int part) {
  if (channels == 1) return pixel[0] - 128.0;
  const double blue = pixel[0], green = pixel[1], red = pixel[2];
  if (part == 0) return 0.299 * red + 0.587 * green + 0.114 * blue - 128;
  if (part == 1) return -0.168736 * red - 0.331264 * green + 0.5 * blue;
  return 0.5 * red - 0.418688 * green - 0.081312 * blue;
}

void put_jpeg(Buffer *out, int width, int height, const unsigned char *pixels, int channels, int quality) {
  Writer self = {.out = out};
  const int parts = channels == 1 ? 1 : 3;
  int before[3] = {0};
  prepare(&self, quality);
  put_head(&self, width, height, parts);
  for (int top = 0; top < height; top += SIDE)
    for (int left = 0; left < width; left += SIDE)
      for (int part = 0; part < parts; ++part) {
        double cells[CELLS];
        for (int i = 0; i < CELLS; ++i) {
          const int x = left + i % SIDE, y = top + i / SIDE; /* beyond the edge: the last pixel */
          const size_t row = (size_t)(y < height ? y : height - 1),
                       column = (size_t)(x < width ? x : width - 1);
          cells[i] = part_of(pixels + (row * (size_t)width + column) * (size_t)channels, channels, part);
        }
        before[part] = put_block(&self, cells, part > 0, before[part]);
      }
  if (self.count) put_bits(&self, (1u << (8 - self.count)) - 1, 8 - self.count);
  put(out, "\xff\xd9", 2);
}
