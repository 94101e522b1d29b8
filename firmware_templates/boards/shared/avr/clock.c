/* AVR: clock (timer 0), start of the analog inputs. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "board.h"
#include "chip.h"
#include "watchdog.h"
#include "wire_port.h"

/* Timer 0 counts every 4 us and overflows every 1024 us. Time is counted in units of 8 us, 125 per
 * millisecond. */
#define OVERFLOW_EIGHTHS 128
#define MILLISECOND_EIGHTHS 125

static volatile uint32_t millis, overflows;
static volatile uint8_t eighths;

ISR(TIMER0_OVF_vect) {
  uint8_t sum = (uint8_t)(eighths + (OVERFLOW_EIGHTHS - MILLISECOND_EIGHTHS));
  uint8_t passed = 1;
  if (sum >= MILLISECOND_EIGHTHS) {
    sum = (uint8_t)(sum - MILLISECOND_EIGHTHS);
    passed = 2;
  }
  eighths = sum;
  millis += passed;
  overflows++;
}

void board_start(int argc, char **argv) {
  (void)argc;
  (void)argv;
  watchdog_start();
  TCCR0A = _BV(WGM01) | _BV(WGM00); /* fast PWM */
  TCCR0B = _BV(CS01) | _BV(CS00);   /* clock / 64 */
  TIMSK0 = _BV(TOIE0);
  ADMUX = _BV(REFS0);                                        /* reference: the supply voltage */
  ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0); /* ADC clock: 125 kHz */
  wire_start();
  SMCR = SLEEP_MODE_IDLE;
  sei();
}

uint32_t board_millis(void) {
  const uint8_t before = SREG;
  cli();
  const uint32_t now = millis;
  SREG = before;
  return now;
}

uint32_t board_micros(void) {
  const uint8_t before = SREG;
  cli();
  uint32_t passed = overflows;
  const uint8_t count = TCNT0;
  if ((TIFR0 & _BV(TOV0)) && count < 255) passed++; /* overflowed since interrupts were disabled */
  SREG = before;
  return (passed << 8 | count) * 4;
}

void board_lock(void) { cli(); }

void board_unlock(void) { sei(); }

void board_idle(void) {
  wdt_reset();
  wire_idle();
  cli();
  if (wire_has_byte()) {
    sei();
    return;
  }
  sleep_enable();
  sei(); /* interrupts are enabled only after the next instruction */
  sleep_cpu();
  sleep_disable();
}
