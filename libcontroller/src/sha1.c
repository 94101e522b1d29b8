/* See sha1.h. */
#include "sha1.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 64

static uint32_t turned(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

/* Function and constant of a round. */
static uint32_t mixed(int round, uint32_t b, uint32_t c, uint32_t d) {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5A827999u;
  if (round < 40) return (b ^ c ^ d) + 0x6ED9EBA1u;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDCu;
  return (b ^ c ^ d) + 0xCA62C1D6u;
}

static void add_block(uint32_t h[5], const unsigned char *block) {
  uint32_t w[80];
  for (int i = 0; i < 16; ++i)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
           block[4 * i + 3];
  for (int i = 16; i < 80; ++i) w[i] = turned(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
  for (int i = 0; i < 80; ++i) {
    const uint32_t next = turned(a, 5) + mixed(i, b, c, d) + e + w[i];
    e = d;
    d = c;
    c = turned(b, 30);
    b = a;
    a = next;
  }
  h[0] += a;
  h[1] += b;
  h[2] += c;
  h[3] += d;
  h[4] += e;
}

void sha1_digits(const void *data, size_t size, char digits[SHA1_DIGITS + 1]) {
  uint32_t h[5] = {0x67452301u, 0xEFCDAB89u, 0x98BADCFEu, 0x10325476u, 0xC3D2E1F0u};
  const unsigned char *at = data;
  unsigned char last[2 * BLOCK] = {0};
  const size_t rest = size % BLOCK, padded = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;
  for (size_t i = 0; i < size / BLOCK; ++i, at += BLOCK) add_block(h, at);
  if (rest) memcpy(last, at, rest);
  last[rest] = 0x80;
  for (int i = 0; i < 8; ++i) last[padded - 1 - (size_t)i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
  for (size_t i = 0; i < padded; i += BLOCK) add_block(h, last + i);
  for (int i = 0; i < 5; ++i) sprintf(digits + 8 * i, "%08x", (unsigned)h[i]);
}
