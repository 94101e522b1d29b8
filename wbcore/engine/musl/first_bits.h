// What musl's pow uses in place of masks of integers: a number stays in its register, which saves a few
// percent.
#pragma once

// The number without its last 27 bits.
static inline double first_bits(double value) {
  typedef double Numbers __attribute__((vector_size(16)));
  typedef long long Bits __attribute__((vector_size(16)));
  const Numbers numbers = {value, 0};
  const Bits mask = {~0x7ffffffLL, 0};
  return ((Numbers)((Bits)numbers & mask))[0];
}
