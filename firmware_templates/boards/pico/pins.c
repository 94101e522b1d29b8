/* RP2040: digital and analog pins. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"
#include "robot.h"

#define ADC_ROUNDS 5000 /* limit; a conversion takes 96 cycles of 12 MHz, or 1000 of the processor */

void board_input(uint8_t pin, bool pull_up) {
  GPIO_OUTPUT_CLEAR = 1u << pin;
  PAD(pin) = PAD_DIGITAL | (pull_up ? PAD_PULL_UP : 0);
  PIN_FUNCTION(pin) = FUNCTION_GPIO;
}

void board_output(uint8_t pin, bool level) {
  if (level)
    GPIO_SET = 1u << pin;
  else
    GPIO_CLEAR = 1u << pin;
  GPIO_OUTPUT_SET = 1u << pin;
  PAD(pin) = PAD_DIGITAL;
  PIN_FUNCTION(pin) = FUNCTION_GPIO;
}

bool board_level(uint8_t pin) { return GPIO_IN >> pin & 1; }

void board_watch(uint8_t pin) {
  const bool locked = cortex_lock();
  PINS_INTERRUPTS(pin / 8) |= PIN_EDGES << pin % 8 * 4;
  cortex_unlock(locked);
  nvic_enable(IRQ_PINS);
}

void interrupt_pins(void) {
  for (uint8_t group = 0; group < PIN_GROUPS; group++) PINS_INTERRUPTED(group) = PINS_EDGES;
  robot_pins_changed();
}

uint16_t board_adc(uint8_t pin) {
  PAD(pin) = PAD_ANALOG;
  PIN_FUNCTION(pin) = FUNCTION_NONE;
  ADC_CONTROL = ADC_ENABLED | ADC_START | ADC_INPUT(pin - PIN_GP26);
  for (uint32_t k = 0; k < ADC_ROUNDS && !(ADC_CONTROL & ADC_READY); k++) {
  }
  return (uint16_t)ADC_RESULT;
}
