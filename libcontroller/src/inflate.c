/* Unpacking of deflate streams (RFC 1951). Codes are decoded bit by bit from the number of codes per length.
 */
#include <string.h>

#include "png.h"

#define LONGEST_CODE 15
#define LITERALS 288
#define DISTANCES 30
#define LENGTH_CODES 19
#define END 256

typedef struct {
  const unsigned char *data;
  size_t size, at;
  unsigned bit; /* next bit of the byte at `at` */
  unsigned char *out;
  size_t done, room;
  bool damaged;
} Stream;

/* Canonical codes: the number of codes of each length, and their symbols in order. */
typedef struct {
  uint16_t counts[LONGEST_CODE + 1], symbols[LITERALS];
} Codes;

static unsigned bits(Stream *in, int count) {
  unsigned value = 0;
  for (int i = 0; i < count; ++i) {
    if (in->at >= in->size) {
      in->damaged = true;
      return 0;
    }
    value |= (in->data[in->at] >> in->bit & 1u) << i;
    in->bit = (in->bit + 1) % 8;
    in->at += in->bit == 0;
  }
  return value;
}

static void make_codes(Codes *codes, const unsigned char *lengths, int count) {
  uint16_t places[LONGEST_CODE + 2] = {0};
  memset(codes, 0, sizeof *codes);
  for (int i = 0; i < count; ++i) ++codes->counts[lengths[i]];
  codes->counts[0] = 0;
  for (int length = 1; length <= LONGEST_CODE; ++length)
    places[length + 1] = (uint16_t)(places[length] + codes->counts[length]);
  for (int i = 0; i < count; ++i) {
    if (lengths[i]) codes->symbols[places[lengths[i]]++] = (uint16_t)i;
  }
}

static int symbol(Stream *in, const Codes *codes) {
  int code = 0, first = 0, index = 0;
  for (int length = 1; length <= LONGEST_CODE && !in->damaged; ++length) {
    code |= (int)bits(in, 1);
    const int count = codes->counts[length];
    if (code - first < count) return codes->symbols[index + code - first];
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  in->damaged = true;
  return END;
}

static void emit(Stream *in, unsigned char byte) {
  if (in->done < in->room)
    in->out[in->done++] = byte;
  else
    in->damaged = true;
}

static void copy(Stream *in, int code, const Codes *distances) {
  static const uint16_t LENGTHS[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                     31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const unsigned char LENGTH_BITS[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                              2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  static const uint16_t BACK[DISTANCES] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                           33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                           1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  if (code >= (int)(sizeof LENGTHS / sizeof *LENGTHS)) {
    in->damaged = true;
    return;
  }
  const unsigned length = LENGTHS[code] + bits(in, LENGTH_BITS[code]);
  const int far = symbol(in, distances);
  if (far >= DISTANCES) {
    in->damaged = true;
    return;
  }
  const size_t back = BACK[far] + bits(in, far < 2 ? 0 : far / 2 - 1);
  if (back > in->done) in->damaged = true;
  for (unsigned i = 0; i < length && !in->damaged; ++i) emit(in, in->out[in->done - back]);
}

static void coded_block(Stream *in, const Codes *literals, const Codes *distances) {
  while (!in->damaged) {
    const int found = symbol(in, literals);
    if (found == END) return;
    if (found < END)
      emit(in, (unsigned char)found);
    else
      copy(in, found - END - 1, distances);
  }
}

static void stored_block(Stream *in) {
  if (in->bit) ++in->at;
  in->bit = 0;
  const unsigned size = bits(in, 16);
  bits(in, 16); /* the complement of the length */
  for (unsigned i = 0; i < size && !in->damaged; ++i) emit(in, (unsigned char)bits(in, 8));
}

static void fixed_block(Stream *in) {
  unsigned char lengths[LITERALS];
  Codes literals, distances;
  for (int i = 0; i < LITERALS; ++i) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
  make_codes(&literals, lengths, LITERALS);
  memset(lengths, 5, DISTANCES);
  make_codes(&distances, lengths, DISTANCES);
  coded_block(in, &literals, &distances);
}

/* Encoded code lengths: 16 repeats the last one, 17 and 18 are runs of zeros. */
static void read_lengths(Stream *in, const Codes *codes, unsigned char *lengths, int count) {
  int done = 0;
  while (done < count && !in->damaged) {
    const int found = symbol(in, codes);
    if (found < 16) {
      lengths[done++] = (unsigned char)found;
      continue;
    }
    const unsigned char value = found == 16 && done ? lengths[done - 1] : 0;
    unsigned times = found == 16 ? 3 + bits(in, 2) : found == 17 ? 3 + bits(in, 3) : 11 + bits(in, 7);
    while (times-- && done < count) lengths[done++] = value;
  }
}

static void dynamic_block(Stream *in) {
  static const unsigned char ORDER[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
  unsigned char lengths[LITERALS + 32] = {0};
  Codes codes, distances;
  const int literals = 257 + (int)bits(in, 5), back = 1 + (int)bits(in, 5), count = 4 + (int)bits(in, 4);
  for (int i = 0; i < count; ++i) lengths[ORDER[i]] = (unsigned char)bits(in, 3);
  make_codes(&codes, lengths, LENGTH_CODES);
  memset(lengths, 0, sizeof lengths);
  if (literals > LITERALS || back > DISTANCES) {
    in->damaged = true;
    return;
  }
  read_lengths(in, &codes, lengths, literals + back);
  make_codes(&distances, lengths + literals, back);
  make_codes(&codes, lengths, literals);
  coded_block(in, &codes, &distances);
}

bool inflate_zlib(const unsigned char *data, size_t size, unsigned char *out, size_t room) {
  Stream in = {.data = data, .size = size, .at = 2, .out = out, .room = room};
  bool last = size < 2;
  while (!last && !in.damaged) {
    last = bits(&in, 1);
    const unsigned kind = bits(&in, 2);
    if (kind == 0)
      stored_block(&in);
    else if (kind == 1)
      fixed_block(&in);
    else if (kind == 2)
      dynamic_block(&in);
    else
      in.damaged = true;
  }
  return !in.damaged && in.done == room;
}
