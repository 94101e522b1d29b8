/* Random numbers as in the desktop's C library, so that a controller behaves the same on all boards: each is
 * the sum of the numbers 3 and 31 before it. If RAND_MAX is 32767, rand() returns the upper 15 bits. */
#include "random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define HISTORY 31
#define NEAR 3
#define FACTOR 16807
#define MODULUS 2147483647
#define DISCARDED 310 /* first numbers, which correlate with the seed */
#define BITS 31

static uint32_t history[HISTORY]; /* ring buffer: the next number replaces the one 31 before */
static uint8_t oldest;
static bool seeded;

static uint32_t next(void) {
  const uint8_t near = (uint8_t)((oldest + HISTORY - NEAR) % HISTORY);
  const uint32_t sum = history[oldest] + history[near];
  history[oldest] = sum;
  oldest = (uint8_t)((oldest + 1) % HISTORY);
  return sum >> 1;
}

void controller_srandom(unsigned seed) {
  int32_t word = seed == 0 ? 1 : (int32_t)seed;
  for (uint8_t k = 0; k < HISTORY; k++) {
    history[k] = (uint32_t)word;
    /* FACTOR * word % MODULUS in 32 bits */
    const int32_t high = word / (MODULUS / FACTOR), low = word % (MODULUS / FACTOR);
    word = FACTOR * low - MODULUS % FACTOR * high;
    if (word < 0) word += MODULUS;
  }
  oldest = NEAR;
  seeded = true;
  for (int k = 0; k < DISCARDED; k++) next();
}

void controller_srand(unsigned seed) { controller_srandom(seed); }

long controller_random(void) {
  if (!seeded) controller_srandom(1);
  return (long)next();
}

int controller_rand(void) {
  const uint32_t number = (uint32_t)controller_random();
  return (int)(RAND_MAX < MODULUS ? number >> (BITS - 15) : number);
}
