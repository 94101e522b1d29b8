/* STM32F401, F405, F411 and F446: pin functions. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"

#define RCC_PORTS 7u                             /* ports A to C */
#define RCC1_USED (7u | 1u << 17 | RCC1_POWER)   /* timers 2 to 4, USART2, power */
#define RCC2_USED (1u << 4 | 1u << 8 | 1u << 14) /* USART1, ADC1, system configuration */

#define FUNCTION_TIMER_2 1u
#define FUNCTION_TIMERS_3_4 2u
#define FUNCTION_USART 7u

#define SYSCFG_EXTI ((volatile uint32_t *)0x40013808)

#define ADC_CLOCK (*(volatile uint32_t *)0x40012304)
#define ADC_BY_4 (1u << 16)         /* of bus 2: at most 25 MHz, and 36 are allowed */
#define ADC_SAMPLE_TIME 0x24924924u /* sampling time: 84 cycles per channel */

/* Sets a bit field that belongs to a pin. */
static void set_field(volatile uint32_t *target, uint8_t width, uint8_t position, uint32_t value) {
  const uint32_t shift = (uint32_t)width * position, mask = ((1u << width) - 1) << shift;
  *target = (*target & ~mask) | value << shift;
}

void chip_mode(uint8_t pin, uint32_t mode) {
  set_field(&CHIP_GPIO(PORT_OF(pin))->mode, 2, BIT_OF(pin), mode);
}

static void set_function(uint8_t pin, uint32_t function) {
  set_field(&CHIP_GPIO(PORT_OF(pin))->function[BIT_OF(pin) / 8], 4, BIT_OF(pin) % 8, function);
  chip_mode(pin, MODE_FUNCTION);
}

void board_start(int argc, char **argv) {
  (void)argc;
  (void)argv;
  chip_start();
  RCC->enable_ahb[0] |= RCC_PORTS;
  RCC->enable1 = RCC1_USED;
  RCC->enable2 = RCC2_USED;
  systick_start(CHIP_CLOCK);
  ADC_CLOCK = ADC_BY_4;
  CHIP_ADC->sample[0] = CHIP_ADC->sample[1] = ADC_SAMPLE_TIME;
  CHIP_ADC->control2 = ADC_ON;
  wire_start();
  watchdog_start();
}

void chip_usart_pins(uint8_t tx, uint8_t rx) {
  set_function(tx, FUNCTION_USART);
  set_function(rx, FUNCTION_USART);
}

void board_input(uint8_t pin, bool pull_up) {
  set_field(&CHIP_GPIO(PORT_OF(pin))->pull, 2, BIT_OF(pin), pull_up);
  chip_mode(pin, MODE_INPUT);
  bench_show(pin, PIN_INPUT, pull_up);
}

void chip_timer_pin(uint8_t pin, uint8_t timer) {
  set_function(pin, timer == 2 ? FUNCTION_TIMER_2 : FUNCTION_TIMERS_3_4);
}

void chip_timer_input(uint8_t pin, uint8_t timer) { chip_timer_pin(pin, timer); } /* keeps the pull-up */

void chip_exti_port(uint8_t bit, uint8_t port) { set_field(&SYSCFG_EXTI[bit / 4], 4, bit % 4, port); }
