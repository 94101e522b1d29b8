/* Random numbers as the desktop's C library makes them, so that a controller does the same on all boards:
   each is the sum of the third and the 31st before it. Where RAND_MAX is 32767, rand() gives the highest 15
   bits of them. */
#include "random.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define KEPT 31
#define NEAR 3
#define FACTOR 16807
#define MODULUS 2147483647
#define DROPPED 310 /* of the first ones, that still show the seed */
#define BITS 31

static uint32_t kept[KEPT]; /* the next one takes the place of that before 31 */
static uint8_t place;
static bool seeded;

static uint32_t next(void) {
  const uint8_t near = (uint8_t)((place + KEPT - NEAR) % KEPT);
  const uint32_t sum = kept[place] + kept[near];
  kept[place] = sum;
  place = (uint8_t)((place + 1) % KEPT);
  return sum >> 1;
}

void controller_srandom(unsigned seed) {
  int32_t word = seed == 0 ? 1 : (int32_t)seed;
  for (uint8_t k = 0; k < KEPT; k++) {
    kept[k] = (uint32_t)word;
    /* FACTOR * word % MODULUS without more than 32 bits */
    const int32_t high = word / (MODULUS / FACTOR), low = word % (MODULUS / FACTOR);
    word = FACTOR * low - MODULUS % FACTOR * high;
    if (word < 0) word += MODULUS;
  }
  place = NEAR;
  seeded = true;
  for (int k = 0; k < DROPPED; k++) next();
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
