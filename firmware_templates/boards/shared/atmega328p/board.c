/* ATmega328P: digital and analog pins. */
#include "board.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "avr.h"
#include "memory.h"
#include "robot.h"

/* Port and bit of a pin: D0 to D7 are port D, D8 to D13 port B, A0 to A5 port C. */

static volatile uint8_t *port(uint8_t pin) { return pin < PIN_D8 ? &PORTD : pin < PIN_A0 ? &PORTB : &PORTC; }

static volatile uint8_t *direction(uint8_t pin) {
  return pin < PIN_D8 ? &DDRD : pin < PIN_A0 ? &DDRB : &DDRC;
}

/* A table is faster: this processor shifts by one bit at a time, and encoder interrupts must be short. */
static uint8_t bit(uint8_t pin) {
  static const FLASH uint8_t bits[] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 1, 2, 4, 8, 16, 32};
  return bits[pin];
}

volatile uint8_t *chip_port(uint8_t pin) { return port(pin); }

uint8_t chip_mask(uint8_t pin) { return bit(pin); }

/* Sets or clears bits of a register that interrupts also modify. */
static void change_bits(volatile uint8_t *target, uint8_t bits, bool set) {
  const uint8_t before = SREG;
  cli();
  *target = set ? *target | bits : *target & (uint8_t)~bits;
  SREG = before;
}

void board_input(uint8_t pin, bool pull_up) {
  change_bits(direction(pin), bit(pin), false);
  change_bits(port(pin), bit(pin), pull_up);
}

void board_output(uint8_t pin, bool level) {
  change_bits(port(pin), bit(pin), level);
  change_bits(direction(pin), bit(pin), true);
}

bool board_level(uint8_t pin) {
  const uint8_t levels = pin < PIN_D8 ? PIND : pin < PIN_A0 ? PINB : PINC;
  return levels & bit(pin);
}

void board_watch(uint8_t pin) {
  if (pin < PIN_D8) {
    PCMSK2 |= bit(pin);
    PCICR |= _BV(PCIE2);
  } else if (pin < PIN_A0) {
    PCMSK0 |= bit(pin);
    PCICR |= _BV(PCIE0);
  } else {
    PCMSK1 |= bit(pin);
    PCICR |= _BV(PCIE1);
  }
}

ISR(PCINT0_vect) { robot_pins_changed(); }

/* Aliases of one function: the compiler would fold three identical functions into calls, and the callee's
 * reti would enable nested interrupts. */
ISR(PCINT1_vect, ISR_ALIASOF(PCINT0_vect));
ISR(PCINT2_vect, ISR_ALIASOF(PCINT0_vect));

uint16_t board_adc(uint8_t pin) {
  ADMUX = _BV(REFS0) | (uint8_t)(pin - PIN_A0);
  ADCSRA |= _BV(ADSC);
  while (ADCSRA & _BV(ADSC)) {
  }
  return ADC;
}
