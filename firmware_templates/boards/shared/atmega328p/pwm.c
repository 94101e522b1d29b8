/* ATmega328P: PWM by timers 0, 1 and 2, servo pulses by timer 1. */
#include <avr/io.h>

#include "avr_pwm.h"
#include "board.h"
#include "config.h"

/* For servos timer 1 counts every 0.5 us with a period of 20 ms. */
#define TICKS_PER_US 2
#define SERVO_TOP 39999u

struct output {
  volatile uint8_t *control; /* register that connects the timer to the pin */
  uint8_t connect;
};

/* The timer output of a pin. */
static struct output output_of(uint8_t pin) {
  switch (pin) {
    case PIN_D3: return (struct output){&TCCR2A, _BV(COM2B1)};
    case PIN_D5: return (struct output){&TCCR0A, _BV(COM0B1)};
    case PIN_D6: return (struct output){&TCCR0A, _BV(COM0A1)};
    case PIN_D9: return (struct output){&TCCR1A, _BV(COM1A1)};
    case PIN_D10: return (struct output){&TCCR1A, _BV(COM1B1)};
    default: return (struct output){&TCCR2A, _BV(COM2A1)};
  }
}

/* Timer 1 counts to `top`, if another frequency was set; the bits select the dividers of the clock. */
#ifdef PWM_FREQUENCIES
static uint16_t top;
static uint8_t select_1, select_2 = _BV(CS22);
#else
static const uint16_t top = 0;
static const uint8_t select_1 = 0, select_2 = _BV(CS22);
#endif

static bool is_at_timer_1(uint8_t pin) { return pin == PIN_D9 || pin == PIN_D10; }

static void set_duty(uint8_t pin, uint8_t duty) {
  switch (pin) {
    case PIN_D3: OCR2B = duty; break;
    case PIN_D5: OCR0B = duty; break;
    case PIN_D6: OCR0A = duty; break;
    case PIN_D9: OCR1A = pwm_wide_compare(duty, top); break;
    case PIN_D10: OCR1B = pwm_wide_compare(duty, top); break;
    default: OCR2A = duty;
  }
}

#ifdef PWM_FREQUENCIES
void board_pwm_frequency(uint8_t pin, uint32_t hertz) {
  if (is_at_timer_1(pin)) {
    select_1 = pwm_wide_divider(hertz, &top);
    return;
  }
  select_2 = pwm_narrow_divider(hertz);
}
#endif

/* Starts a pin's timer as 8-bit fast PWM at 976 Hz, or at another frequency; timer 0 is already running. */
static void start_timer(uint8_t pin) {
  if (is_at_timer_1(pin) && top > 0) {
    TCCR1A |= _BV(WGM11);
    TCCR1B = (uint8_t)(_BV(WGM13) | _BV(WGM12) | select_1);
    ICR1 = top;
  } else if (is_at_timer_1(pin)) {
    TCCR1A |= _BV(WGM10);
    TCCR1B = _BV(WGM12) | _BV(CS11) | _BV(CS10);
  } else if (pin == PIN_D3 || pin == PIN_D11) {
    TCCR2A |= _BV(WGM21) | _BV(WGM20);
    TCCR2B = select_2;
  }
}

void board_pwm(uint8_t pin, uint8_t duty) {
  const struct output output = output_of(pin);
  if (duty == 0 || duty == BOARD_DUTY_FULL) { /* the timer would output a short pulse */
    *output.control &= (uint8_t)~output.connect;
    board_output(pin, duty > 0);
    return;
  }
  start_timer(pin);
  set_duty(pin, duty);
  board_output(pin, false);
  *output.control |= output.connect;
}

void board_servo(uint8_t pin, uint16_t pulse) {
  const struct output output = output_of(pin);
  if (pulse == 0) {
    *output.control &= (uint8_t)~output.connect;
    board_output(pin, false);
    return;
  }
  TCCR1A |= _BV(WGM11);
  TCCR1B = _BV(WGM13) | _BV(WGM12) | _BV(CS11);
  ICR1 = SERVO_TOP;
  if (pin == PIN_D9)
    OCR1A = pulse * TICKS_PER_US;
  else
    OCR1B = pulse * TICKS_PER_US;
  board_output(pin, false);
  *output.control |= output.connect;
}
