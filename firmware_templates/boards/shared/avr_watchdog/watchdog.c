/* AVR: the watchdog, and the cause of a reset. Boot loaders clear MCUSR, which tells it, and leave the
 * variables of the section .noinit, which come after all others, as they were: that of the Leonardo uses RAM
 * up to 0x1BD, two bytes at 0x800, and some at the end for its stack. */
#ifdef __AVR__
#include "watchdog.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "board.h"

static volatile uint32_t kept __attribute__((section(".noinit")));
static uint8_t cause;

volatile uint32_t *board_kept(void) { return &kept; }

uint8_t board_reset_cause(void) { return cause; }

/* Resets the processor, which turns all pins into inputs. */
__attribute__((always_inline, noreturn)) static inline void reset_after(uint8_t fault) {
  cli();
  kept = KEPT(fault);
  wdt_enable(WDTO_15MS);
  wdt_reset(); /* simavr counts the new time from here */
  for (;;) {
  }
}

/* Before the watchdog resets the processor; if interrupts are disabled, it does so after as long again,
 * without the note (data sheet, 8.2). */
ISR(WDT_vect) { reset_after(CAUSE_WATCHDOG); }

/* An interrupt that has no function. */
ISR(BADISR_vect) { reset_after(CAUSE_FAULT); }

/* Before main(). A program that jumps to a wrong address comes here at last, through empty flash and the boot
 * loader, with its pins and timers still at work: the clock's interrupt (TOIE0 of TIMSK0) is off only after a
 * reset. */
__asm(
    ".section .init3, \"ax\", @progbits\n"
    "  lds r24, 0x6E\n"
    "  sbrc r24, 0\n"
    "  jmp watchdog_restarted\n"
    ".previous\n");

__attribute__((used, noreturn)) void watchdog_restarted(void) { reset_after(CAUSE_FAULT); }

static uint8_t cause_of(uint8_t flags) {
  if (flags & _BV(PORF)) return CAUSE_POWER;
  if (flags & _BV(BORF)) return CAUSE_BROWN_OUT;
  return flags & _BV(WDRF) ? CAUSE_WATCHDOG : CAUSE_NONE;
}

void watchdog_start(void) {
  cause = cause_of(MCUSR);
  MCUSR = 0;
  wdt_enable(WDTO_500MS);
  WDTCSR |= _BV(WDIE);
}
#endif
