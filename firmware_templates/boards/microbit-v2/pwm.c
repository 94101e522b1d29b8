/* BBC micro:bit V2: PWM and servo pulses, by four PWM units with four channels each (nRF52833 Product
 * Specification, chapter "PWM"). */
#include "bare_metal.h"
#include "chip.h"

#define NONE 0xFF
#define DUTY_STEP_US 8 /* a PWM period is 255 of these: 490 Hz */
#define SERVO_PERIOD 20000

static const uint8_t pins[PWM_UNITS][PWM_CHANNELS] = {{PIN_P0, PIN_P1, PIN_P2, PIN_P8},
                                                      {PIN_P12, PIN_P13, PIN_P14, PIN_P15},
                                                      {PIN_P3, PIN_P4, PIN_P6, PIN_P16},
                                                      {PIN_P7, PIN_P9, PIN_P10, NONE}};

static volatile uint16_t values[PWM_UNITS][PWM_CHANNELS]; /* read by EasyDMA */

static struct pwm *unit_at(uint8_t which) {
  static const uint32_t addresses[PWM_UNITS] = {0x4001C000, 0x40021000, 0x40022000, 0x4002D000};
  return (struct pwm *)(uintptr_t)addresses[which];
}

/* Connects a pin to a channel. The unit's other outputs are low for a moment and begin a new period. */
static void connect(uint8_t which, uint8_t channel, uint32_t period) {
  struct pwm *unit = unit_at(which);
  board_output(pins[which][channel], false);
  unit->enable = 0;
  unit->pins[channel] = pins[which][channel];
  unit->prescaler = PWM_1_MHZ;
  unit->top = period;
  unit->decoder = PWM_VALUE_PER_CHANNEL;
  unit->sequence[0].values = (uint32_t)(uintptr_t)values[which];
  unit->sequence[0].count = PWM_CHANNELS;
  unit->enable = 1;
}

/* Sets what a pin does from its next period (us) on: a value of the unit. */
static void set_value(uint8_t pin, enum pin_use use, uint32_t period, uint32_t value) {
  uint8_t place = 0;
  while (place < PWM_UNITS * PWM_CHANNELS - 1 && pins[place / PWM_CHANNELS][place % PWM_CHANNELS] != pin)
    place++;
  const uint8_t which = place / PWM_CHANNELS, channel = place % PWM_CHANNELS;
  values[which][channel] = (uint16_t)value;
  if (bench_pins[pin].use != use) connect(which, channel, period);
  unit_at(which)->start[0] = 1;
}

void board_pwm(uint8_t pin, uint8_t duty) {
  const uint32_t high = duty == BOARD_DUTY_FULL ? PWM_NEVER : (uint32_t)DUTY_STEP_US * duty;
  set_value(pin, PIN_PWM, DUTY_STEP_US * BOARD_DUTY_FULL, duty == 0 ? PWM_NEVER : PWM_FROM_HIGH | high);
  bench_show(pin, PIN_PWM, duty);
}

void board_servo(uint8_t pin, uint16_t pulse) {
  set_value(pin, PIN_SERVO, SERVO_PERIOD, pulse == 0 ? PWM_NEVER : PWM_FROM_HIGH | pulse);
  bench_show(pin, PIN_SERVO, pulse);
}
