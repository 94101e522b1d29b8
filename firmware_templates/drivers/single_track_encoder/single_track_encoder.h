/* An encoder with one track. */
#ifndef SINGLE_TRACK_ENCODER_H
#define SINGLE_TRACK_ENCODER_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"

/* Motors by their drivers and indices. */
#define OF_DRV8833 0x80
#define HBRIDGE_MOTOR(index) (index)
#define DRV8833_MOTOR(index) (OF_DRV8833 | (index))

struct single_track_encoder {
  uint8_t pin;
  real counts;
  uint8_t motor; /* see HBRIDGE_MOTOR */
  bool linear;
};

extern const FLASH struct single_track_encoder single_track_encoder_table[SINGLE_TRACK_ENCODER_COUNT];

void single_track_encoder_start(uint8_t k);
bool single_track_encoder_position(uint8_t k, real *position);
void single_track_encoder_changed(uint8_t k);

#endif
