/* AVRs with many ports: digital and analog pins. */
#include <avr/interrupt.h>

#include "avr.h"
#include "avr_pins.h"
#include "board.h"
#include "robot.h"

static volatile uint8_t *input(uint8_t pin) { return (volatile uint8_t *)chip_pins[pin].port; }

static volatile uint8_t *direction(uint8_t pin) { return input(pin) + 1; }

static volatile uint8_t *output(uint8_t pin) { return input(pin) + 2; }

volatile uint8_t *chip_port(uint8_t pin) { return output(pin); }

uint8_t chip_mask(uint8_t pin) { return chip_pins[pin].bit; }

/* Sets or clears the bit of a pin in a register that interrupts also modify. */
static void change_bit(volatile uint8_t *target, uint8_t pin, bool set) {
  const uint8_t bit = chip_pins[pin].bit, before = SREG;
  cli();
  *target = set ? *target | bit : *target & (uint8_t)~bit;
  SREG = before;
}

void board_input(uint8_t pin, bool pull_up) {
  change_bit(direction(pin), pin, false);
  change_bit(output(pin), pin, pull_up);
}

void board_output(uint8_t pin, bool level) {
  change_bit(output(pin), pin, level);
  change_bit(direction(pin), pin, true);
}

bool board_level(uint8_t pin) { return *input(pin) & chip_pins[pin].bit; }

/* Makes both edges of an external interrupt trigger it (ISCn1:0 = 01). */
static void watch_external(uint8_t number) {
  volatile uint8_t *const control = &EICRA + number / 4;
  const uint8_t edges = (uint8_t)(1 << number % 4 * 2), enabled = (uint8_t)(1 << number);
  *control |= edges;
  EIMSK |= enabled;
}

void board_watch(uint8_t pin) {
  const uint8_t watch = chip_pins[pin].watch;
  if (watch & WATCH_EXTERNAL(0)) {
    watch_external(watch & 7);
    return;
  }
  const uint8_t pin_bit = (uint8_t)(1 << watch % 8), group_bit = (uint8_t)(1 << watch / 8);
  (&PCMSK0)[watch / 8] |= pin_bit;
  PCICR |= group_bit;
}

ISR(PCINT0_vect) { robot_pins_changed(); }

/* Aliases of one function: the compiler would fold identical functions into calls, and the callee's reti
 * would enable nested interrupts. */
ISR(INT0_vect, ISR_ALIASOF(PCINT0_vect));
ISR(INT1_vect, ISR_ALIASOF(PCINT0_vect));
ISR(INT2_vect, ISR_ALIASOF(PCINT0_vect));
ISR(INT3_vect, ISR_ALIASOF(PCINT0_vect));
ISR(INT6_vect, ISR_ALIASOF(PCINT0_vect));
#ifdef PCINT2_vect
ISR(PCINT2_vect, ISR_ALIASOF(PCINT0_vect));
ISR(INT4_vect, ISR_ALIASOF(PCINT0_vect));
ISR(INT5_vect, ISR_ALIASOF(PCINT0_vect));
ISR(INT7_vect, ISR_ALIASOF(PCINT0_vect));
#endif

uint16_t board_adc(uint8_t pin) {
  const uint8_t channel = chip_channel(pin);
  ADMUX = (uint8_t)(_BV(REFS0) | (channel & 7));
  ADCSRB = channel & 8 ? _BV(MUX5) : 0;
  ADCSRA |= _BV(ADSC);
  while (ADCSRA & _BV(ADSC)) {
  }
  return ADC;
}
