/* STM32: digital pins and ADC. */
#include "bare_metal.h"
#include "chip.h"
#include "stm32.h"

void board_output(uint8_t pin, bool level) {
  CHIP_GPIO(PORT_OF(pin))->set = (level ? 1u : 1u << 16) << BIT_OF(pin);
  chip_mode(pin, MODE_OUTPUT);
  bench_show(pin, PIN_OUTPUT, level);
}

bool board_level(uint8_t pin) {
  if (bench_pins[pin].driven) return bench_pins[pin].level;
  return CHIP_GPIO(PORT_OF(pin))->input >> BIT_OF(pin) & 1;
}

/* ADC channels 0 to 7 are PA0 to PA7, 8 and 9 PB0 and PB1, 10 to 15 PC0 to PC5. */
static uint32_t channel_of(uint8_t pin) {
  static const uint8_t first[] = {0, 8, 10};
  return (uint32_t)first[PORT_OF(pin)] + BIT_OF(pin);
}

uint16_t board_adc(uint8_t pin) {
  chip_mode(pin, MODE_ANALOG);
  CHIP_ADC->sequence[2] = channel_of(pin);
  CHIP_ADC->control2 |= CHIP_ADC_START;
  wait_set(&CHIP_ADC->status, ADC_DONE, ADC_ROUNDS);
  const uint16_t measured = (uint16_t)CHIP_ADC->data;
  const uint16_t value = bench_pins[pin].driven ? bench_pins[pin].analog : measured;
  bench_show(pin, PIN_ANALOG, value);
  return value;
}
