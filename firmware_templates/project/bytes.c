/* Encodes numbers as little-endian bytes on any processor. */
#include "bytes.h"

#include <string.h>

uint16_t get_u16(const uint8_t *from) { return (uint16_t)(from[0] | (uint16_t)from[1] << 8); }

uint32_t get_u32(const uint8_t *from) { return get_u16(from) | (uint32_t)get_u16(from + 2) << 16; }

int32_t get_i32(const uint8_t *from) {
  const uint32_t bits = get_u32(from);
  int32_t number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

#if LINK_REAL == 4

real get_real(const uint8_t *from) {
  const uint32_t bits = get_u32(from);
  real number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

uint8_t *put_real(uint8_t *to, real number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return put_u32(to, bits);
}

#else

real get_real(const uint8_t *from) {
  const uint64_t bits = get_u32(from) | (uint64_t)get_u32(from + 4) << 32;
  real number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

uint8_t *put_real(uint8_t *to, real number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return put_u32(put_u32(to, (uint32_t)bits), (uint32_t)(bits >> 32));
}

#endif

uint8_t *put_u16(uint8_t *to, uint16_t number) {
  to[0] = (uint8_t)number;
  to[1] = (uint8_t)(number >> 8);
  return to + 2;
}

uint8_t *put_u32(uint8_t *to, uint32_t number) {
  return put_u16(put_u16(to, (uint16_t)number), (uint16_t)(number >> 16));
}
