/* nRF51 and nRF52: clock (timer 0), random numbers, watchdog. */
#include "bare_metal.h"
#include "chip.h"
#include "config.h"
#include "cortex_m.h"
#include "robot.h"

#define CRYSTAL_ROUNDS 40000 /* of at least 4 cycles: 2.5 ms at 64 MHz */
#define RANDOM_ROUNDS 20000  /* of at least 4 cycles: 1.2 ms at 64 MHz, 5 ms at 16 MHz */
#ifdef BOARD_TICK_TIMER
#define TICK_US (1000000 / BOARD_TICKS)
#else
#define TICK_US 1000
#endif
#define LEAST_US 3 /* minimum distance to a compare value, so that it is not missed */
#define WATCHDOG_HALF_SECOND 16384

#define TICK 0    /* compare register of the next tick */
#define CAPTURE 1 /* capture register for reading the time */
#define BENCH                                                                                            \
  3 /* compare register of the test bench: shortly after the time at which it stops; register 2 is free, \
       also for a bench */
#define SOON_US 100

static volatile uint32_t millis;
#ifdef BOARD_TICK_TIMER
#define MILLISECOND 1000
static uint16_t rest; /* us of the incomplete millisecond */
static volatile bool steps_run;
#endif
static uint8_t cause;

/* No bit is set after switching on and after a brown-out (product specifications, RESETREAS). */
static uint8_t cause_of(uint32_t flags) {
  if (flags == 0) return CAUSE_POWER;
  if (flags & RESET_BY_LOCKUP) return CAUSE_FAULT;
  return CHIP_RESET_BY_WATCHDOG(flags) ? CAUSE_WATCHDOG : CAUSE_NONE;
}

void board_start(int argc, char **argv) {
  (void)argc;
  (void)argv;
  cause = cause_of(RESET_CAUSE);
  RESET_CAUSE = UINT32_MAX;
  chip_start();
  CLOCK_START_CRYSTAL = 1;
  for (uint32_t k = 0; k < CRYSTAL_ROUNDS && !CLOCK_CRYSTAL_RUNS; k++) {
  }
  struct timer *timer = TIMER(0);
  timer->bits = TIMER_32_BITS;
  timer->prescaler = TIMER_1_MHZ;
  timer->compare[TICK] = TICK_US;
  timer->interrupts = TIMER_INTERRUPT_BY(TICK);
  timer->start = 1;
  nvic_enable(IRQ_CLOCK);
  wire_start();
  WATCHDOG_CYCLES = WATCHDOG_HALF_SECOND;
  WATCHDOG_START = 1;
}

uint8_t board_reset_cause(void) { return cause; }

/* nRF51 Series Reference Manual, chapter "Random Number Generator": a byte with bias correction takes about
 * 677 us; nRF52833 Product Specification: 120 us. */
uint32_t board_random(void) {
  uint32_t number = 0;
  RANDOM_CONFIG = RANDOM_BIAS_CORRECTION;
  RANDOM_START = 1;
  for (uint8_t k = 0; k < sizeof number; k++) {
    RANDOM_READY = 0;
    for (uint16_t round = 0; !RANDOM_READY; round++)
      if (round == RANDOM_ROUNDS) return 0;
    number = number << 8 | (uint8_t)RANDOM_BYTE;
  }
  RANDOM_STOP = 1;
  return number;
}

/* Moves the time of a compare register behind now. Returns the number of periods. */
static uint32_t advance(uint8_t k, uint32_t period) {
  uint32_t periods = 0;
  for (; (int32_t)(board_micros() + LEAST_US - TIMER(0)->compare[k]) >= 0; periods++)
    TIMER(0)->compare[k] += period;
  return periods;
}

#ifdef BOARD_TICK_TIMER
/* The clock itself ticks for stepper motors. */
void board_ticks_start(void) { steps_run = true; }

static void pass_tick(void) {
  rest += TICK_US;
  if (rest >= MILLISECOND) {
    rest -= MILLISECOND;
    millis++;
  }
  if (steps_run) robot_tick();
}
#else
static void pass_tick(void) { millis++; }
#endif

void interrupt_clock(void) {
  struct timer *timer = TIMER(0);
  /* If the program was busy and could not stop for a bench in time, interrupt again soon, so that the
   * emulator does not skip time. */
  if (bench_until && timer->compared[BENCH]) advance(BENCH, SOON_US);
  for (uint8_t k = 0; k < 4; k++) timer->compared[k] = 0;
  for (uint32_t k = advance(TICK, TICK_US); k > 0; k--) pass_tick();
  bench_now = board_micros();
}

uint32_t board_millis(void) { return millis; }

uint32_t board_micros(void) {
  TIMER(0)->capture[CAPTURE] = 1;
  return TIMER(0)->compare[CAPTURE];
}

void board_idle(void) {
  WATCHDOG_FEED = WATCHDOG_FEED_KEY;
  bare_metal_sleep();
}
