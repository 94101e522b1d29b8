/* Cortex-M: the clock, based on SysTick. */
#include "bare_metal.h"
#include "config.h"
#include "cortex_m.h"
#include "robot.h"

#define MILLISECOND 1000
#define MEGA 1000000
#ifdef BOARD_TICK_TIMER
#define TICK_US (MEGA / BOARD_TICKS)
#else
#define TICK_US MILLISECOND
#endif

volatile uint32_t bench_clock;

static uint32_t cycles_per_us;

static volatile uint32_t millis, micros;
static volatile uint32_t rest; /* microseconds of the incomplete millisecond */
static volatile uint32_t tick; /* microseconds of the current tick */

#ifdef BOARD_TICK_TIMER
static volatile bool steps_run;
static uint32_t step_rest; /* microseconds since the last whole tick */

void board_ticks_start(void) { steps_run = true; }

/* The clock itself ticks for stepper motors. */
static void pass_steps(void) {
  for (step_rest += tick; step_rest >= TICK_US; step_rest -= TICK_US)
    if (steps_run) robot_tick();
}
#else
static void pass_steps(void) {}
#endif

/* Ticks vary in length: a bench shortens some of them to stop between two. */
static uint32_t tick_us(void) { return (SYSTICK->reload + 1) / cycles_per_us; }

void systick_start(uint32_t clock) {
  cycles_per_us = (bench_clock ? bench_clock : clock) / MEGA;
  SYSTICK->reload = TICK_US * cycles_per_us - 1;
  SYSTICK->value = 0;
  SYSTICK->control = SYSTICK_RUN;
  tick = TICK_US;
}

void interrupt_systick(void) {
  micros += tick;
  pass_steps();
  rest += tick;
  tick = tick_us();
  while (rest >= MILLISECOND) {
    rest -= MILLISECOND;
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
  const uint32_t now = passed + (SYSTICK->reload - value) / cycles_per_us;
  cortex_unlock(locked);
  return now;
}
