/* STM32: PWM and servo pulses by timers 2, 3 and 4, pin interrupts, the watchdog. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"
#include "robot.h"
#include "stm32.h"
#include "timer_outputs.h"

#define PWM_RATE 1000         /* Hz */
#define SERVO_TOP (20000 - 1) /* us */
#define OUTPUT_TIMERS 3
#define LONGEST 65536u /* counts of a period */
#define WATCHDOG_BY_32 3
#define WATCHDOG_STEPS (CHIP_LOW_CLOCK / 32 / 2) /* 0.5 s */

struct output {
  uint8_t pin, timer, channel;
};

static const struct output outputs[] = {TIMER_OUTPUTS};

/* The timer output of a pin. The hardware map only allows pins that have one. */
static const struct output *output_of(uint8_t pin) {
  const struct output *one = outputs;
  while (one->pin != pin) one++;
  return one;
}

/* Runs a timer at `rate` counts per second up to `top`; its channel is high for `high` counts. */
static void run(uint8_t pin, uint32_t rate, uint32_t top, uint32_t high) {
  const struct output *output = output_of(pin);
  struct timer *timer = TIMER(output->timer);
  timer->compare[output->channel] = high;
  if (bench_pins[pin].use != PIN_PWM && bench_pins[pin].use != PIN_SERVO) {
    timer->prescaler = CHIP_TIMER_CLOCK / rate - 1;
    timer->top = top;
    timer->mode[output->channel / 2] |= TIMER_PWM << 8 * (output->channel % 2);
    timer->enable |= 1u << 4 * output->channel;
    timer->event = TIMER_LOAD;
    timer->control1 = TIMER_RUN | TIMER_PRELOAD_TOP;
    chip_timer_pin(pin, output->timer);
  }
}

/* Other frequencies of timers in Hz, from timer 2 on; 0: the usual one. */
static uint32_t frequencies[OUTPUT_TIMERS];

void board_pwm_frequency(uint8_t pin, uint32_t hertz) {
  frequencies[output_of(pin)->timer - FIRST_TIMER] = hertz;
}

void board_pwm(uint8_t pin, uint8_t duty) {
  const uint32_t hertz = frequencies[output_of(pin)->timer - FIRST_TIMER];
  if (hertz == 0) {
    run(pin, PWM_RATE * BOARD_DUTY_FULL, BOARD_DUTY_FULL - 1, duty);
  } else {
    const uint32_t divider = CHIP_TIMER_CLOCK / hertz / LONGEST + 1; /* as small as possible, for the duty */
    const uint32_t counts = CHIP_TIMER_CLOCK / divider / hertz;
    run(pin, CHIP_TIMER_CLOCK / divider, counts - 1, (counts * duty + BOARD_DUTY_FULL / 2) / BOARD_DUTY_FULL);
  }
  bench_show(pin, PIN_PWM, duty);
}

void board_servo(uint8_t pin, uint16_t pulse) {
  run(pin, 1000000, SERVO_TOP, pulse);
  bench_show(pin, PIN_SERVO, pulse);
}

void board_watch(uint8_t pin) {
  const uint32_t line = 1u << BIT_OF(pin);
  bench_pins[pin].watched = 1;
  chip_exti_port(BIT_OF(pin), PORT_OF(pin));
  CHIP_EXTI->rising |= line;
  CHIP_EXTI->falling |= line;
  CHIP_EXTI->mask |= line;
  static const uint8_t numbers[] = {6, 7, 8, 9, 10, 23, 40}; /* lines 0 to 4, 5 to 9, 10 to 15 */
  for (uint8_t k = 0; k < sizeof numbers; k++) nvic_enable(numbers[k]);
}

void interrupt_pins(void) {
  CHIP_EXTI->pending = CHIP_EXTI->pending; /* writing ones clears them */
  robot_pins_changed();
}

static uint8_t cause;

uint8_t board_reset_cause(void) { return cause; }

void watchdog_start(void) {
  const uint32_t flags = CHIP_RESET_CAUSE;
  cause = flags & RESET_BY_POWER ? CAUSE_POWER : flags & RESET_BY_WATCHDOG ? CAUSE_WATCHDOG : CAUSE_NONE;
  CHIP_RESET_CAUSE |= RESET_CLEAR_CAUSE;
  WATCHDOG->key = WATCHDOG_START;
  WATCHDOG->key = WATCHDOG_CHANGE;
  WATCHDOG->prescaler = WATCHDOG_BY_32;
  WATCHDOG->reload = WATCHDOG_STEPS;
}

void board_idle(void) {
  WATCHDOG->key = WATCHDOG_FEED;
  bare_metal_sleep();
}
