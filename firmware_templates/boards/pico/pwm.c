/* RP2040: PWM and servo pulses. A slice has two outputs, for an even pin and the next one. */
#include "board.h"
#include "rp2040.h"

#define SLICES 8
#define CLOCK 125000000u
#define LONGEST 65535u /* counts of a period */
#define PWM_BY 250u    /* 125 MHz / 250 / 255 = 1961 Hz */
#define SERVO_BY 125u  /* 1 MHz */
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

/* Other frequencies: the divider and the period of a slice; 0: the usual ones. */
static struct {
  uint8_t divider;
  uint32_t period;
} others[SLICES];

void board_pwm_frequency(uint8_t pin, uint32_t hertz) {
  const uint32_t counts = CLOCK / hertz;
  const uint32_t divider = counts / LONGEST + 1;
  others[pin / 2 % SLICES].divider = (uint8_t)divider;
  others[pin / 2 % SLICES].period = counts / divider;
}

/* A pulse as long as the period is a constant level. */
void board_pwm(uint8_t pin, uint8_t duty) {
  const uint8_t slice = pin / 2 % SLICES;
  const uint32_t period = others[slice].period;
  if (period == 0)
    set_pulse(pin, PWM_BY, BOARD_DUTY_FULL, duty);
  else
    set_pulse(pin, others[slice].divider, period, (duty * period + BOARD_DUTY_FULL / 2) / BOARD_DUTY_FULL);
}

void board_servo(uint8_t pin, uint16_t pulse) {
  if (pulse == 0)
    board_output(pin, false);
  else
    set_pulse(pin, SERVO_BY, SERVO_US, pulse);
}
