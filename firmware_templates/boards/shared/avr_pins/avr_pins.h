/* Pins of AVRs with many ports and timers: tables that the board provides in chip.c. */
#ifndef AVR_PINS_H
#define AVR_PINS_H

#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>

#include "memory.h"

/* Interrupts of a pin: a pin change interrupt by its PCINT number, or an external one by its INT number. */
#define WATCH_CHANGE(number) (number)
#define WATCH_EXTERNAL(number) (0x80 | (number))
#define WATCH_NONE 0x7F

struct avr_pin {
  uint16_t port; /* address of PINx; DDRx and PORTx follow */
  uint8_t bit;   /* mask: this processor shifts by one bit at a time, and encoder interrupts must be short */
  uint8_t watch;
};

/* Row of a table: AVR_PIN(PINB, 7, WATCH_NONE) */
#define AVR_PIN(port, bit, watch) {_SFR_ADDR(port), _BV(bit), watch}

/* A timer's output. The registers of all timers but the fast one of the ATmega32U4 have the same order. */
struct avr_output {
  uint8_t pin;
  uint16_t timer;  /* address of TCCRnA */
  uint8_t channel; /* A, B, C: 0, 1, 2 */
  bool is_wide;    /* 16 bits */
};

extern const FLASH struct avr_pin chip_pins[];
extern const FLASH struct avr_output chip_outputs[];

/* Returns the ADC channel of an analog pin. */
uint8_t chip_channel(uint8_t pin);

#endif
