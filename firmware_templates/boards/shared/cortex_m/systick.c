/* Cortex-M: the clock, based on SysTick. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"

#define CYCLES_PER_US (CHIP_CLOCK / 1000000)
#define TICK_US 1000

static volatile uint32_t millis, micros;
static volatile uint32_t rest; /* microseconds of the incomplete millisecond */
static volatile uint32_t tick; /* microseconds of the current tick */

/* Ticks vary in length: a bench shortens some of them to stop within a millisecond. */
static uint32_t tick_us(void) { return (SYSTICK->reload + 1) / CYCLES_PER_US; }

void systick_start(void) {
  SYSTICK->reload = TICK_US * CYCLES_PER_US - 1;
  SYSTICK->value = 0;
  SYSTICK->control = SYSTICK_RUN;
  tick = TICK_US;
}

void interrupt_systick(void) {
  micros += tick;
  rest += tick;
  tick = tick_us();
  while (rest >= TICK_US) {
    rest -= TICK_US;
    millis++;
  }
  bench_now = micros;
}

uint32_t board_millis(void) { return millis; }

uint32_t board_micros(void) {
  const bool locked = cortex_lock();
  uint32_t value = SYSTICK->value, passed = micros;
  if (SCB_PENDING & SCB_PENDING_SYSTICK) { /* a tick ended since interrupts were disabled */
    value = SYSTICK->value;
    passed += tick;
  }
  const uint32_t now = passed + (SYSTICK->reload - value) / CYCLES_PER_US;
  cortex_unlock(locked);
  return now;
}
