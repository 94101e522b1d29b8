/* Encodes numbers as little-endian bytes on any processor. Reals are as wide as the link's reals. */
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

#if LINK_REAL == 4
typedef float real;
#define REAL(number) number##f
#else
typedef double real;
#define REAL(number) number
#endif

#ifndef __cplusplus
_Static_assert(sizeof(real) == LINK_REAL, "this processor has no reals of the width that the link needs");
#endif

uint16_t get_u16(const uint8_t *from);
uint32_t get_u32(const uint8_t *from);
int32_t get_i32(const uint8_t *from);
real get_real(const uint8_t *from);

/* Each returns the address after the last byte written. */
uint8_t *put_u16(uint8_t *to, uint16_t number);
uint8_t *put_u32(uint8_t *to, uint32_t number);
uint8_t *put_real(uint8_t *to, real number);

#endif
