/* BBC micro:bit: PWM and servo pulses. The chip has no PWM; interrupts of timers 1 and 2 switch three pins
 * each. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"

#define OUTPUTS 3
#define PERIOD 3        /* compare register that ends a period */
#define PWM_PERIOD 2040 /* us: 490 Hz, unless the hardware map asks for another frequency */
#define SERVO_PERIOD 20000

static const uint8_t pins[2][OUTPUTS] = {{PIN_P8, PIN_P12, PIN_P16}, {PIN_P13, PIN_P14, PIN_P15}};

static uint16_t pwm_periods[2] = {PWM_PERIOD, PWM_PERIOD}; /* us, of each timer */

static volatile uint32_t active[2]; /* pins that are high for a part of the period */

/* If a period and a long pulse have ended before the interrupt could come, the pulse ended first: its pin
 * stays high. Otherwise it would be low for the whole new period. */
static void switch_pins(uint8_t which) {
  struct timer *timer = TIMER(which + 1);
  const bool ended = timer->compared[PERIOD];
  uint32_t low = 0;
  for (uint8_t k = 0; k < OUTPUTS; k++)
    if (timer->compared[k]) {
      timer->compared[k] = 0;
      if (!ended || timer->compare[k] < timer->compare[PERIOD] / 2) low |= 1u << pins[which][k];
    }
  if (ended) {
    timer->compared[PERIOD] = 0;
    GPIO_SET(0) = active[which];
  }
  GPIO_CLEAR(0) = active[which] & low;
}

void interrupt_pwm_1(void) { switch_pins(0); }

void interrupt_pwm_2(void) { switch_pins(1); }

/* Starts a timer with a period, unless it is running. */
static void start(uint8_t which, uint32_t period) {
  struct timer *timer = TIMER(which + 1);
  if (timer->compare[PERIOD] == period) return;
  timer->bits = TIMER_16_BITS;
  timer->prescaler = TIMER_1_MHZ;
  timer->compare[PERIOD] = period;
  timer->shorts = TIMER_CLEAR_BY(PERIOD);
  timer->interrupts = TIMER_INTERRUPT_BY(PERIOD);
  timer->start = 1;
  nvic_enable((uint8_t)(IRQ_TIMERS + which + 1));
}

static uint8_t timer_of(uint8_t pin) {
  return pin == pins[0][0] || pin == pins[0][1] || pin == pins[0][2] ? 0 : 1;
}

/* Sets how long a pin is high in each period, in microseconds below the period; 0 disables its pulses. */
static void set_high_time(uint8_t pin, uint32_t period, uint32_t high) {
  const uint8_t which = timer_of(pin);
  uint8_t output = 0;
  while (output < OUTPUTS - 1 && pins[which][output] != pin) output++;
  const bool locked = cortex_lock();
  struct timer *timer = TIMER(which + 1);
  if (high > 0) {
    timer->compare[output] = high;
    timer->interrupts = TIMER_INTERRUPT_BY(output);
    active[which] |= 1u << pin;
    start(which, period);
  } else {
    timer->no_interrupts = TIMER_INTERRUPT_BY(output);
    active[which] &= ~(1u << pin);
  }
  cortex_unlock(locked);
}

void board_pwm_frequency(uint8_t pin, uint32_t hertz) {
  pwm_periods[timer_of(pin)] = (uint16_t)((1000000 + hertz / 2) / hertz);
}

void board_pwm(uint8_t pin, uint8_t duty) {
  const bool constant = duty == 0 || duty == BOARD_DUTY_FULL;
  const uint32_t period = pwm_periods[timer_of(pin)];
  set_high_time(pin, period, constant ? 0 : (period * duty + BOARD_DUTY_FULL / 2) / BOARD_DUTY_FULL);
  if (constant || bench_pins[pin].use != PIN_PWM) board_output(pin, duty == BOARD_DUTY_FULL);
  bench_show(pin, PIN_PWM, duty);
}

void board_servo(uint8_t pin, uint16_t pulse) {
  if (pulse == 0 || bench_pins[pin].use != PIN_SERVO) board_output(pin, false);
  set_high_time(pin, SERVO_PERIOD, pulse);
  bench_show(pin, PIN_SERVO, pulse);
}
