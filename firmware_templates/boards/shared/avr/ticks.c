/* AVR: ticks for stepper motors by timer 2, or by timer 3 where there is none. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "board.h"
#include "config.h"
#include "robot.h"

#ifdef BOARD_TICK_TIMER

#ifdef TIMER2_COMPA_vect /* avr-libc also defines registers of this timer where there is none */
#define TICK_vect TIMER2_COMPA_vect
#define DIVIDER 32

void board_ticks_start(void) {
  TCCR2A = _BV(WGM21); /* from 0 to the compare value */
  TCCR2B = _BV(CS21) | _BV(CS20);
  OCR2A = F_CPU / DIVIDER / BOARD_TICKS - 1;
  TIMSK2 = _BV(OCIE2A);
}
#else
#define TICK_vect TIMER3_COMPA_vect
#define DIVIDER 8

void board_ticks_start(void) {
  TCCR3A = 0;
  TCCR3B = _BV(WGM32) | _BV(CS31);
  OCR3A = F_CPU / DIVIDER / BOARD_TICKS - 1;
  TIMSK3 = _BV(OCIE3A);
}
#endif

ISR(TICK_vect) { robot_tick(); }

#endif
