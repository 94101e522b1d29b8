/* RP2040: ticks for stepper motors by alarm 1 of the timer. */
#include "board.h"
#include "chip.h"
#include "config.h"
#include "cortex_m.h"
#include "robot.h"

#ifdef BOARD_TICK_TIMER

#define PERIOD_US (1000000 / BOARD_TICKS)
#define LEAST_US 3 /* minimum distance to an alarm, so that it is not missed */
#define BY_TICK 2u /* bit of the alarm */

void board_ticks_start(void) {
  TIMER_INTERRUPTS |= BY_TICK;
  TIMER_TICK = TIMER_MICROS + PERIOD_US;
  nvic_enable(IRQ_TICKS);
}

void interrupt_ticks(void) {
  TIMER_INTERRUPTED = BY_TICK;
  uint32_t next = TIMER_TICK;
  do {
    next += PERIOD_US;
    robot_tick();
  } while ((int32_t)(TIMER_MICROS + LEAST_US - next) >= 0);
  TIMER_TICK = next;
}

#endif
