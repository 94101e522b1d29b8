/* What boards without an operating system share. */
#ifndef BARE_METAL_H
#define BARE_METAL_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/* Give variables their first values; before anything else. */
void bare_metal_start(void);

/* Bytes between an interrupt and the program; one end writes, the other one reads. */
#define RING 256 /* as an index of 8 bits counts by itself */

struct ring {
  volatile uint8_t bytes[RING];
  volatile uint8_t in, out;
};

static inline bool ring_empty(const struct ring *ring) { return ring->in == ring->out; }

/* Full: the byte is lost, the frame will be found damaged and sent again. */
static inline void ring_put(struct ring *ring, uint8_t byte) {
  const uint8_t next = (uint8_t)(ring->in + 1);
  if (next == ring->out) return;
  ring->bytes[ring->in] = byte;
  ring->in = next;
}

static inline bool ring_full(const struct ring *ring) { return (uint8_t)(ring->in + 1) == ring->out; }

static inline uint8_t ring_take(struct ring *ring) {
  const uint8_t byte = ring->bytes[ring->out];
  ring->out++;
  return byte;
}

/* Bytes from the wire: its interrupt puts them there, and in lockstep a bench does. */
extern struct ring wire_taken;

/* Has a byte come from the wire that nobody has read? */
bool wire_waits(void);

/* What pins do, and what a bench drives them to: it reads and writes this from outside while the program
   runs. On a board that nobody tests so, `driven` stays 0, and pins are what they are. */
enum pin_use { PIN_FREE, PIN_INPUT, PIN_OUTPUT, PIN_PWM, PIN_SERVO, PIN_ANALOG };

struct bench_pin {
  uint8_t use;
  uint8_t watched; /* changes call robot_pins_changed() */
  uint8_t driven;  /* 1: `level` and `analog` count */
  uint8_t level;
  uint16_t analog; /* as board_adc() gives it */
  uint16_t shown;  /* what the board has set or measured: level, duty, microseconds, analog */
};

extern volatile struct bench_pin bench_pins[BOARD_PINS];

/* Note what a pin does. */
static inline void bench_show(uint8_t pin, enum pin_use use, uint16_t value) {
  bench_pins[pin].use = (uint8_t)use;
  bench_pins[pin].shown = value;
}

/* Time in microseconds, as the clock's interrupt has last seen it, and when a bench wants to stop. */
extern volatile uint32_t bench_now, bench_until;

/* To be called before the processor sleeps: here a bench stops it, as nothing happens but time. */
void bench_idle(void);

#endif
