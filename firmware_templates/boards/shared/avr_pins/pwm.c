/* AVRs with many timers: PWM by all of them, servo pulses by those with 16 bits. */
#include "avr_pins.h"
#include "avr_pwm.h"
#include "board.h"
#include "config.h"

/* For servos a timer counts every 0.5 us with a period of 20 ms. */
#define TICKS_PER_US 2
#define SERVO_TOP 39999u

/* Places of the registers of a timer with 8 and with 16 bits, and bits of 16-bit timers that have the same
 * place in each: data sheet of the ATmega2560, sections 16.9 and 17.11. */
enum { CONTROL_A = 0, CONTROL_B = 1, COMPARE_8 = 3, TOP_16 = 6, COMPARE_16 = 8 };

/* Returns the output of a pin. Pins without one are refused before the firmware is built. */
static struct avr_output output_of(uint8_t pin) {
  uint8_t k = 0;
  while (chip_outputs[k].pin != pin) k++;
  return chip_outputs[k];
}

static volatile uint8_t *timer_register(struct avr_output output, uint8_t place) {
  return (volatile uint8_t *)output.timer + place;
}

static volatile uint16_t *word_register(struct avr_output output, uint8_t place) {
  return (volatile uint16_t *)timer_register(output, place);
}

/* Bits COMnx1: the pin is set at the bottom and cleared at the compare value. */
static uint8_t connecting(struct avr_output output) { return (uint8_t)(_BV(COM1A1) >> 2 * output.channel); }

static void disconnect(struct avr_output output, bool level) {
  *timer_register(output, CONTROL_A) &= (uint8_t)~connecting(output);
  board_output(output.pin, level);
}

static void connect(struct avr_output output) {
  board_output(output.pin, false);
  *timer_register(output, CONTROL_A) |= connecting(output);
}

static void set_compare(struct avr_output output, uint16_t value) {
  if (output.is_wide)
    *word_register(output, (uint8_t)(COMPARE_16 + 2 * output.channel)) = value;
  else
    *timer_register(output, (uint8_t)(COMPARE_8 + output.channel)) = (uint8_t)value;
}

/* Another frequency of a timer with 16 bits: the number to which it counts, and its divider. */
#define MOST_WIDE 4
struct wide {
  uint16_t timer, top;
  uint8_t select;
};
#ifdef PWM_FREQUENCIES
static struct wide wide[MOST_WIDE];
#ifdef TIMER2_OVF_vect
static uint8_t select_2 = _BV(CS22);
#endif

/* Returns the place of a timer; the last one if it has the usual frequency. */
static const struct wide *wide_of(struct avr_output output) {
  static const struct wide usual;
  for (uint8_t k = 0; k < MOST_WIDE; k++)
    if (wide[k].timer == output.timer) return &wide[k];
  return &usual;
}

void board_pwm_frequency(uint8_t pin, uint32_t hertz) {
  const struct avr_output output = output_of(pin);
  if (output.is_wide) {
    uint8_t k = 0;
    while (k < MOST_WIDE - 1 && wide[k].timer != 0 && wide[k].timer != output.timer) k++;
    wide[k].timer = output.timer;
    wide[k].select = pwm_wide_divider(hertz, &wide[k].top);
    return;
  }
#ifdef TIMER2_OVF_vect
  select_2 = pwm_narrow_divider(hertz);
#endif
}
#else /* all timers have the usual frequency */
#ifdef TIMER2_OVF_vect
static const uint8_t select_2 = _BV(CS22);
#endif

static const struct wide *wide_of(struct avr_output output) {
  static const struct wide usual;
  (void)output;
  return &usual;
}
#endif

/* Starts a timer as 8-bit fast PWM at 976 Hz, or at another frequency; timer 0 is already running. */
static void start_pwm(struct avr_output output) {
  const struct wide *other = wide_of(output);
  if (output.is_wide && other->top > 0) {
    *timer_register(output, CONTROL_A) |= _BV(WGM11);
    *timer_register(output, CONTROL_B) = (uint8_t)(_BV(WGM13) | _BV(WGM12) | other->select);
    *word_register(output, TOP_16) = other->top;
  } else if (output.is_wide) {
    *timer_register(output, CONTROL_A) |= _BV(WGM10);
    *timer_register(output, CONTROL_B) = _BV(WGM12) | _BV(CS11) | _BV(CS10);
  }
#ifdef TIMER2_OVF_vect /* avr-libc also defines registers of this timer where there is none */
  if (output.timer == _SFR_ADDR(TCCR2A)) {
    TCCR2A |= _BV(WGM21) | _BV(WGM20);
    TCCR2B = select_2;
  }
#endif
}

void board_pwm(uint8_t pin, uint8_t duty) {
  const struct avr_output output = output_of(pin);
  if (duty == 0 || duty == BOARD_DUTY_FULL) { /* the timer would output a short pulse */
    disconnect(output, duty > 0);
    return;
  }
  start_pwm(output);
  set_compare(output, output.is_wide ? pwm_wide_compare(duty, wide_of(output)->top) : duty);
  connect(output);
}

void board_servo(uint8_t pin, uint16_t pulse) {
  const struct avr_output output = output_of(pin);
  if (pulse == 0) {
    disconnect(output, false);
    return;
  }
  *timer_register(output, CONTROL_A) |= _BV(WGM11);
  *timer_register(output, CONTROL_B) = _BV(WGM13) | _BV(WGM12) | _BV(CS11);
  *word_register(output, TOP_16) = SERVO_TOP;
  set_compare(output, pulse * TICKS_PER_US);
  connect(output);
}
