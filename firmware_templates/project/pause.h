/* Short waits of a constant time, in which only interrupts are served. */
#ifndef PAUSE_H
#define PAUSE_H

#ifdef __AVR__
#include <util/delay.h>

/* By counted instructions: smaller than with the clock, and not in its steps of 4 us. */
#define pause_us(time) _delay_us(time)
#else
#include <stdint.h>

#include "board.h"

static inline void pause_us(uint32_t time) {
  for (const uint32_t start = board_micros(); board_micros() - start < time;) {
  }
}
#endif

#endif
