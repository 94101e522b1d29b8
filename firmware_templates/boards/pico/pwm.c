/* RP2040: PWM and servo pulses. A slice has two outputs, for an even pin and the next one. */
#include "board.h"
#include "rp2040.h"

#define SLICES 8
#define PWM_BY 250u   /* 125 MHz / 250 / 255 = 1961 Hz */
#define SERVO_BY 125u /* 1 MHz */
#define SERVO_US 20000u

/* Sets the length of the pulses of a pin, in units of the slice's divided clock. */
static void set_pulse(uint8_t pin, uint32_t divider, uint32_t period, uint32_t pulse) {
  struct pwm_slice *slice = &PWM[pin / 2 % SLICES];
  slice->divider = PWM_DIVIDER(divider);
  slice->top = period - 1;
  const uint32_t compare = slice->compare;
  slice->compare = pin % 2 ? (compare & 0xFFFF) | pulse << 16 : (compare & 0xFFFF0000) | pulse;
  slice->control = PWM_RUN;
  PAD(pin) = PAD_DIGITAL;
  PIN_FUNCTION(pin) = FUNCTION_PWM;
}

/* A pulse as long as the period is a constant level. */
void board_pwm(uint8_t pin, uint8_t duty) { set_pulse(pin, PWM_BY, BOARD_DUTY_FULL, duty); }

void board_servo(uint8_t pin, uint16_t pulse) {
  if (pulse == 0)
    board_output(pin, false);
  else
    set_pulse(pin, SERVO_BY, SERVO_US, pulse);
}
