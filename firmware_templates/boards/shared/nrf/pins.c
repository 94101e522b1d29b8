/* nRF51 and nRF52: digital pins. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"
#include "robot.h"

static uint32_t watched[CHIP_PORTS];

void board_input(uint8_t pin, bool pull_up) {
  GPIO_CONFIG(pin) = pull_up ? CONFIG_PULL_UP : 0;
  bench_show(pin, PIN_INPUT, pull_up);
}

void board_output(uint8_t pin, bool level) {
  if (level)
    GPIO_SET(PIN_PORT(pin)) = PIN_BIT(pin);
  else
    GPIO_CLEAR(PIN_PORT(pin)) = PIN_BIT(pin);
  GPIO_CONFIG(pin) = CHIP_OUTPUT;
  bench_show(pin, PIN_OUTPUT, level);
}

bool board_level(uint8_t pin) {
  if (bench_pins[pin].driven) return bench_pins[pin].level;
  return GPIO_IN(PIN_PORT(pin)) >> PIN_NUMBER(pin) & 1;
}

/* Arms the interrupt of each watched pin for the opposite of its level. */
static void arm_pin_interrupts(void) {
  for (uint8_t port = 0; port < CHIP_PORTS; port++)
    for (uint8_t number = 0; number < PORT_PINS; number++)
      if (watched[port] >> number & 1) {
        volatile uint32_t *config = &GPIO_CONFIGS(port)[number];
        const bool level = GPIO_IN(port) >> number & 1;
        *config = (*config & CONFIG_PULL_UP) | (level ? CONFIG_SENSE_LOW : CONFIG_SENSE_HIGH);
      }
}

void board_watch(uint8_t pin) {
  bench_pins[pin].watched = 1;
  watched[PIN_PORT(pin)] |= PIN_BIT(pin);
  arm_pin_interrupts();
  GPIOTE_PORT = 0;
  GPIOTE_INTERRUPTS = GPIOTE_BY_PORT;
  nvic_enable(IRQ_PINS);
}

void interrupt_pins(void) {
  GPIOTE_PORT = 0;
  arm_pin_interrupts();
  robot_pins_changed();
}
