/* BBC micro:bit V2: analog pins, by the SAADC (nRF52833 Product Specification, chapter "SAADC"). */
#include "bare_metal.h"
#include "chip.h"

/* Rounds of at least 4 cycles. */
#define START_ROUNDS 500
#define CONVERSION_ROUNDS 2000 /* 125 us; a conversion takes 42 us */

static volatile int16_t sample; /* written by EasyDMA; noise can make it negative */

/* The number of an analog input, plus 1: inputs 0 to 3 are P0.02 to P0.05, 4 to 7 are P0.28 to P0.31. */
static uint32_t adc_input_of(uint8_t pin) { return pin < 28 ? pin - 1u : pin - 23u; }

static void convert(void) {
  ADC->started = 0;
  ADC->ended = 0;
  ADC->start = 1;
  if (!chip_await(&ADC->started, START_ROUNDS)) return;
  ADC->sample = 1;
  chip_await(&ADC->ended, CONVERSION_ROUNDS);
}

uint16_t board_adc(uint8_t pin) {
  GPIO_CONFIG(pin) = CONFIG_UNCONNECTED;
  sample = 0;
  ADC->bits = ADC_12_BITS;
  ADC->input = adc_input_of(pin);
  ADC->config = ADC_OF_SUPPLY;
  ADC->result = (uint32_t)(uintptr_t)&sample;
  ADC->count = 1;
  ADC->enable = 1;
  convert();
  ADC->stop = 1;
  ADC->enable = 0; /* saves power */
  const uint16_t measured = sample < 0 ? 0 : (uint16_t)sample;
  const uint16_t value = bench_pins[pin].driven ? bench_pins[pin].analog : measured;
  bench_show(pin, PIN_ANALOG, value);
  return value;
}
