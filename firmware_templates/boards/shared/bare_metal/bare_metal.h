/* Shared by boards without an operating system. */
#ifndef BARE_METAL_H
#define BARE_METAL_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

/* Initializes variables; must run first. */
void bare_metal_start(void);

/* The word of memory that resets keep, at the beginning of the RAM. */
extern volatile uint32_t kept_word[];

/* A ring buffer between an interrupt and the program, with one writer and one reader. */
#define RING 256 /* 8-bit indices wrap around by themselves */

struct ring {
  volatile uint8_t bytes[RING];
  volatile uint8_t in, out;
};

static inline bool ring_empty(const struct ring *ring) { return ring->in == ring->out; }

/* If the buffer is full, the byte is lost; the damaged frame will be sent again. */
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

/* Bytes from the wire, written by its interrupt, or in lockstep by a bench. */
extern struct ring wire_rx;

/* True if a received byte is waiting. */
bool wire_has_byte(void);

/* The state of each pin: a test bench reads outputs and sets inputs here while the program runs. Without a
 * bench, `driven` stays 0 and the real pins are used. */
enum pin_use { PIN_FREE, PIN_INPUT, PIN_OUTPUT, PIN_PWM, PIN_SERVO, PIN_ANALOG };

struct bench_pin {
  uint8_t use;
  uint8_t watched; /* changes call robot_pins_changed() */
  uint8_t driven;  /* 1: `level` and `analog` are valid */
  uint8_t level;
  uint16_t analog; /* as board_adc() returns it */
  uint16_t shown;  /* what the board has set or measured: level, duty, microseconds, ADC reading */
};

extern volatile struct bench_pin bench_pins[BOARD_PINS];

/* Records what a pin does. */
static inline void bench_show(uint8_t pin, enum pin_use use, uint16_t value) {
  bench_pins[pin].use = (uint8_t)use;
  bench_pins[pin].shown = value;
}

/* Time in microseconds at the last clock interrupt, and the time from which a bench stops the program: it
 * watches for writes to `bench_stop`. */
extern volatile uint32_t bench_now, bench_until, bench_stop;

/* Sleeps until an interrupt, unless a byte from the wire is waiting. A bench stops the program before. */
void bare_metal_sleep(void);

#endif
