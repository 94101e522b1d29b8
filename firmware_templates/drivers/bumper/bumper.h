/* A bumper switch. */
#ifndef BUMPER_H
#define BUMPER_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"

struct bumper {
  uint8_t pin;
  bool inverted;
};

extern const FLASH struct bumper bumper_table[BUMPER_COUNT];

void bumper_start(uint8_t k);
bool bumper_value(uint8_t k, real *value);

#endif
