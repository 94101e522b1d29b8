/* BBC micro:bit V2: PWM and servo pulses, by four PWM units with four channels each (nRF52833 Product
 * Specification, chapter "PWM"). */
#include "bare_metal.h"
#include "chip.h"

#define NONE 0xFF
#define PWM_PERIOD 2040 /* us: 490 Hz, unless the hardware map asks for another frequency */
#define FAST_FROM 489   /* Hz from which periods of 1/16 us fit into the counter's 15 bits */
#define SERVO_PERIOD 20000

static const uint8_t pins[PWM_UNITS][PWM_CHANNELS] = {{PIN_P0, PIN_P1, PIN_P2, PIN_P8},
                                                      {PIN_P12, PIN_P13, PIN_P14, PIN_P15},
                                                      {PIN_P3, PIN_P4, PIN_P6, PIN_P16},
                                                      {PIN_P7, PIN_P9, PIN_P10, NONE}};

static volatile uint16_t values[PWM_UNITS][PWM_CHANNELS]; /* read by EasyDMA */

/* Of each unit: the clock of PWM, and its ticks in a period. */
static uint8_t clocks[PWM_UNITS] = {PWM_1_MHZ, PWM_1_MHZ, PWM_1_MHZ, PWM_1_MHZ};
static uint16_t periods[PWM_UNITS] = {PWM_PERIOD, PWM_PERIOD, PWM_PERIOD, PWM_PERIOD};

static struct pwm *unit_at(uint8_t which) {
  static const uint32_t addresses[PWM_UNITS] = {0x4001C000, 0x40021000, 0x40022000, 0x4002D000};
  return (struct pwm *)(uintptr_t)addresses[which];
}

/* Connects a pin to a channel. The unit's other outputs are low for a moment and begin a new period. */
static void connect(uint8_t which, uint8_t channel, uint8_t clock, uint32_t period) {
  struct pwm *unit = unit_at(which);
  board_output(pins[which][channel], false);
  unit->enable = 0;
  unit->pins[channel] = pins[which][channel];
  unit->prescaler = clock;
  unit->top = period;
  unit->decoder = PWM_VALUE_PER_CHANNEL;
  unit->sequence[0].values = (uint32_t)(uintptr_t)values[which];
  unit->sequence[0].count = PWM_CHANNELS;
  unit->enable = 1;
}

/* Returns the number of a pin among the channels of all units. */
static uint8_t place_of(uint8_t pin) {
  uint8_t place = 0;
  while (place < PWM_UNITS * PWM_CHANNELS - 1 && pins[place / PWM_CHANNELS][place % PWM_CHANNELS] != pin)
    place++;
  return place;
}

/* Sets what a pin does from its next period on: a value of the unit. */
static void set_value(uint8_t pin, enum pin_use use, uint8_t clock, uint32_t period, uint32_t value) {
  const uint8_t place = place_of(pin), which = place / PWM_CHANNELS, channel = place % PWM_CHANNELS;
  values[which][channel] = (uint16_t)value;
  if (bench_pins[pin].use != use) connect(which, channel, clock, period);
  unit_at(which)->start[0] = 1;
}

void board_pwm_frequency(uint8_t pin, uint32_t hertz) {
  const uint8_t which = place_of(pin) / PWM_CHANNELS;
  const uint32_t ticks = hertz < FAST_FROM ? 1000000 : 16000000;
  clocks[which] = hertz < FAST_FROM ? PWM_1_MHZ : PWM_16_MHZ;
  periods[which] = (uint16_t)((ticks + hertz / 2) / hertz);
}

void board_pwm(uint8_t pin, uint8_t duty) {
  const uint8_t which = place_of(pin) / PWM_CHANNELS;
  const uint32_t period = periods[which];
  const uint32_t part = (period * duty + BOARD_DUTY_FULL / 2) / BOARD_DUTY_FULL;
  const uint32_t high = duty == BOARD_DUTY_FULL ? PWM_NEVER : part;
  set_value(pin, PIN_PWM, clocks[which], period, duty == 0 ? PWM_NEVER : PWM_FROM_HIGH | high);
  bench_show(pin, PIN_PWM, duty);
}

void board_servo(uint8_t pin, uint16_t pulse) {
  set_value(pin, PIN_SERVO, PWM_1_MHZ, SERVO_PERIOD, pulse == 0 ? PWM_NEVER : PWM_FROM_HIGH | pulse);
  bench_show(pin, PIN_SERVO, pulse);
}
