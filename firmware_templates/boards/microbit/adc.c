/* BBC micro:bit V1: analog pins. */
#include "bare_metal.h"
#include "chip.h"

#define ADC_ROUNDS 500 /* of at least 4 cycles; a conversion takes 70 us, or 1120 cycles */

#define ADC_START REGISTER(0x40007000)
#define ADC_STOP REGISTER(0x40007004)
#define ADC_DONE REGISTER(0x40007100)
#define ADC_ENABLE REGISTER(0x40007500)
#define ADC_CONFIG REGISTER(0x40007504)
#define ADC_10_BITS_OF_SUPPLY \
  (2u | 2u << 2 | 3u << 5) /* a third of the input voltage; reference: a third of the supply */
#define ADC_INPUT(number) (1u << (8 + (number)))
#define ADC_RESULT REGISTER(0x40007508)

/* The ADC's input number: inputs 2 to 7 are pins 1 to 6. */
static uint8_t adc_input_of(uint8_t pin) { return pin + 1; }

uint16_t board_adc(uint8_t pin) {
  GPIO_CONFIG(pin) = CONFIG_UNCONNECTED;
  ADC_CONFIG = ADC_10_BITS_OF_SUPPLY | ADC_INPUT(adc_input_of(pin));
  ADC_ENABLE = 1;
  ADC_DONE = 0;
  ADC_START = 1;
  for (uint32_t k = 0; k < ADC_ROUNDS && !ADC_DONE; k++) {
  }
  const uint16_t measured = (uint16_t)ADC_RESULT;
  ADC_STOP = 1;
  ADC_ENABLE = 0; /* saves power */
  const uint16_t value = bench_pins[pin].driven ? bench_pins[pin].analog : measured;
  bench_show(pin, PIN_ANALOG, value);
  return value;
}
