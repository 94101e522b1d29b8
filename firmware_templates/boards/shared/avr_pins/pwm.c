/* AVRs with many timers: PWM by all of them, servo pulses by those with 16 bits. */
#include "avr_pins.h"
#include "board.h"

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

/* Starts a timer as 8-bit fast PWM at 976 Hz; timer 0 is already running. */
static void start_pwm(struct avr_output output) {
  if (output.is_wide) {
    *timer_register(output, CONTROL_A) |= _BV(WGM10);
    *timer_register(output, CONTROL_B) = _BV(WGM12) | _BV(CS11) | _BV(CS10);
  }
#ifdef TIMER2_OVF_vect /* avr-libc also defines registers of this timer where there is none */
  if (output.timer == _SFR_ADDR(TCCR2A)) {
    TCCR2A |= _BV(WGM21) | _BV(WGM20);
    TCCR2B = _BV(CS22);
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
  set_compare(output, duty);
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
