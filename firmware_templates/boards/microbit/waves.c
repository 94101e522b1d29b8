/* BBC micro:bit: PWM and servo pulses. The chip has no PWM: interrupts of timers 1 and 2 switch three pins
 * each. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"

#define OUTPUTS 3
#define ROUND 3   /* the compare register that ends a round */
#define DUTY_US 8 /* a round of PWM takes 255 of these: 490 each second */
#define SERVO_ROUND 20000

static const uint8_t pins[2][OUTPUTS] = {{PIN_P8, PIN_P12, PIN_P16}, {PIN_P13, PIN_P14, PIN_P15}};

static volatile uint32_t active[2]; /* the pins that are high for a part of the round */

static void interrupt(uint8_t which) {
  struct timer *timer = TIMER(which + 1);
  if (timer->compared[ROUND]) {
    timer->compared[ROUND] = 0;
    GPIO_SET = active[which];
  }
  for (uint8_t k = 0; k < OUTPUTS; k++)
    if (timer->compared[k]) {
      timer->compared[k] = 0;
      GPIO_CLEAR = active[which] & 1u << pins[which][k];
    }
}

void interrupt_wave_1(void) { interrupt(0); }

void interrupt_wave_2(void) { interrupt(1); }

/* Let a timer count rounds, if it does not yet. */
static void start(uint8_t which, uint32_t round) {
  struct timer *timer = TIMER(which + 1);
  if (timer->compare[ROUND] == round) return;
  timer->bits = TIMER_16_BITS;
  timer->prescaler = TIMER_1_MHZ;
  timer->compare[ROUND] = round;
  timer->shorts = TIMER_CLEAR_BY(ROUND);
  timer->interrupts = TIMER_CALL(ROUND);
  timer->start = 1;
  nvic_enable((uint8_t)(IRQ_WAVES + which + 1));
}

/* Let a pin be high for some microseconds of each round, not for all of it; 0: it is left alone. */
static void wave(uint8_t pin, uint32_t round, uint32_t high) {
  const uint8_t which = pin == pins[0][0] || pin == pins[0][1] || pin == pins[0][2] ? 0 : 1;
  uint8_t output = 0;
  while (output < OUTPUTS - 1 && pins[which][output] != pin) output++;
  const bool locked = cortex_lock();
  struct timer *timer = TIMER(which + 1);
  if (high > 0) {
    timer->compare[output] = high;
    timer->interrupts = TIMER_CALL(output);
    active[which] |= 1u << pin;
    start(which, round);
  } else {
    timer->no_interrupts = TIMER_CALL(output);
    active[which] &= ~(1u << pin);
  }
  cortex_unlock(locked);
}

void board_pwm(uint8_t pin, uint8_t duty) {
  const bool constant = duty == 0 || duty == BOARD_DUTY_FULL;
  wave(pin, DUTY_US * BOARD_DUTY_FULL, constant ? 0 : DUTY_US * duty);
  if (constant || bench_pins[pin].use != PIN_PWM) board_output(pin, duty == BOARD_DUTY_FULL);
  bench_show(pin, PIN_PWM, duty);
}

void board_servo(uint8_t pin, uint16_t pulse) {
  if (pulse == 0 || bench_pins[pin].use != PIN_SERVO) board_output(pin, false);
  wave(pin, SERVO_ROUND, pulse);
  bench_show(pin, PIN_SERVO, pulse);
}
