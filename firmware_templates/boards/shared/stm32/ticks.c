/* STM32: ticks for stepper motors by timer 1, which no pin uses. */
#include "board.h"
#include "chip.h"
#include "config.h"
#include "cortex_m.h"
#include "robot.h"

#ifdef BOARD_TICK_TIMER

#define COUNTS_PER_S 1000000
#define TIMER_BY_UPDATE 1u /* of interrupts and status */

void board_ticks_start(void) {
  CHIP_TICKS->prescaler = CHIP_TICKS_CLOCK / COUNTS_PER_S - 1;
  CHIP_TICKS->top = COUNTS_PER_S / BOARD_TICKS - 1;
  CHIP_TICKS->event = TIMER_LOAD;
  CHIP_TICKS->status = 0;
  CHIP_TICKS->interrupts = TIMER_BY_UPDATE;
  CHIP_TICKS->control1 = TIMER_RUN;
  nvic_enable(TICKS_INTERRUPT);
}

void interrupt_ticks(void) {
  CHIP_TICKS->status = 0;
  robot_tick();
}

#endif
