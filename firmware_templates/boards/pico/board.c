/* Raspberry Pi Pico (RP2040): start, time, watchdog. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"

#define CRYSTAL_MHZ 12
#define TICK_US 1000
#define LEAST_US 3           /* minimum distance to an alarm, so that it is not missed */
#define STARTED 0x77627264u  /* mark: a program has started the watchdog */
#define HALF_SECOND 1000000u /* the watchdog counts two per microsecond (data sheet, erratum RP2040-E1) */

static volatile uint32_t millis;
static uint8_t cause;

void board_start(int argc, char **argv) {
  (void)argc;
  (void)argv;
  /* After flashing, the boot ROM starts the program by the watchdog, too, but clears the mark. */
  const bool hung = (WATCHDOG_REASON & WATCHDOG_BY_TIMER) && WATCHDOG_MARK == STARTED;
  const bool by_power = WATCHDOG_REASON == 0 && (CHIP_RESET_CAUSE & RESET_BY_POWER);
  cause = hung ? CAUSE_WATCHDOG : by_power ? CAUSE_POWER : CAUSE_NONE;
  WATCHDOG_MARK = STARTED;
  clocks_start();
  rp2040_start(RESET_IO | RESET_PADS | RESET_TIMER | RESET_PWM | RESET_ADC);
  WATCHDOG_TICK = CRYSTAL_MHZ | TICK_ENABLED; /* also the clock of the timer */
  POWER_WATCHDOG = POWER_ALL_BUT_OSCILLATORS;
  WATCHDOG_LOAD = HALF_SECOND;
  WATCHDOG_CONTROL = WATCHDOG_ENABLED;
  ADC_CONTROL = ADC_ENABLED;
  TIMER_INTERRUPTS = 1;
  TIMER_ALARM = TIMER_MICROS + TICK_US;
  nvic_enable(IRQ_CLOCK);
  wire_start();
}

uint8_t board_reset_cause(void) { return cause; }

void interrupt_clock(void) {
  TIMER_INTERRUPTED = 1;
  uint32_t next = TIMER_ALARM;
  do {
    next += TICK_US;
    millis++;
  } while ((int32_t)(TIMER_MICROS + LEAST_US - next) >= 0);
  TIMER_ALARM = next;
}

uint32_t board_millis(void) { return millis; }

uint32_t board_micros(void) { return TIMER_MICROS; }

void board_idle(void) {
  WATCHDOG_LOAD = HALF_SECOND;
  wire_idle();
  bare_metal_sleep();
}
