/* A quadrature encoder. */
#ifndef QUADRATURE_ENCODER_H
#define QUADRATURE_ENCODER_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"

struct quadrature_encoder {
  uint8_t a, b;
  real counts;
  bool linear;
#ifdef QUADRATURE_ENCODER_TIMER
  uint8_t timer; /* counts it; 0: interrupts do */
  bool reversed; /* track A is at channel 2 of the timer */
#endif
};

extern const FLASH struct quadrature_encoder quadrature_encoder_table[QUADRATURE_ENCODER_COUNT];

void quadrature_encoder_start(uint8_t k);
bool quadrature_encoder_position(uint8_t k, real *position);
/* Returns the distance (rad or m) since a count, and sets it to the present one. */
real quadrature_encoder_moved(uint8_t k, int32_t *since);
void quadrature_encoder_changed(uint8_t k);
void quadrature_encoder_update(uint8_t k, uint16_t elapsed);

#endif
