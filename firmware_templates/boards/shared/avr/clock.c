/* AVR: clock (timer 0), start of the analog inputs, watchdog. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "board.h"
#include "chip.h"
#include "wire_port.h"

/* Timer 0 counts every 4 us and overflows every 1024 us. Time is counted in units of 8 us, 125 per
 * millisecond. */
#define OVERFLOW_EIGHTHS 128
#define MILLISECOND_EIGHTHS 125

static volatile uint32_t millis, overflows;
static volatile uint8_t eighths;
static bool hung;

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

#ifdef CHIP_HIDES_CAUSE
#define HUNG 0x77626875ul /* no value that RAM has by chance */

static volatile uint32_t mark __attribute__((section(".noinit")));

/* Before the watchdog resets the processor; if interrupts are disabled, it does so after as long again,
 * without the mark (data sheet, 8.2). */
ISR(WDT_vect) {
  mark = HUNG;
  wdt_enable(WDTO_15MS);
  wdt_reset(); /* simavr counts the new time from here */
  for (;;) {
  }
}

static void start_watchdog(void) {
  hung = mark == HUNG;
  mark = 0;
  MCUSR = 0;
  wdt_enable(WDTO_500MS);
  WDTCSR |= _BV(WDIE);
}
#else
static void start_watchdog(void) {
  hung = MCUSR & _BV(WDRF);
  MCUSR = 0;
  wdt_enable(WDTO_500MS);
}
#endif

void board_start(int argc, char **argv) {
  (void)argc;
  (void)argv;
  start_watchdog();
  TCCR0A = _BV(WGM01) | _BV(WGM00); /* fast PWM */
  TCCR0B = _BV(CS01) | _BV(CS00);   /* clock / 64 */
  TIMSK0 = _BV(TOIE0);
  ADMUX = _BV(REFS0);                                        /* reference: the supply voltage */
  ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0); /* ADC clock: 125 kHz */
  wire_start();
  SMCR = SLEEP_MODE_IDLE;
  sei();
}

bool board_hung(void) { return hung; }

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
