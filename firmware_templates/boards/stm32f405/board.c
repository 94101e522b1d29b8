/* Boards with an STM32F405: clocks and pin functions. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"

struct rng {
  volatile uint32_t control, status, data;
};

#define RNG ((struct rng *)0x50060800)
#define RNG_ENABLE (1u << 2)
#define RNG_READY 1u
#define RNG_ERRORS 6u    /* of its clock, or of the numbers */
#define RNG_ROUNDS 10000 /* of at least 4 cycles: 0.2 ms; a number takes 40 cycles of 48 MHz */

struct rcc {
  volatile uint32_t control, pll, config, interrupts, reset[8], enable_ahb[4], enable1, enable2;
};

#define RCC ((struct rcc *)0x40023800)
#define RCC_PLL_ON (1u << 24)
#define RCC_PLL_READY (1u << 25)
#define RCC_PLL_168 (7u << 24 | 0u << 16 | 336u << 6 | 16u) /* 16 MHz / 16 * 336 / 2; / 7: 48 MHz */
#define RCC_PLL_SELECT 2u
#define RCC_PLL_IN_USE (2u << 2)
#define RCC_BUS1_BY_4 (5u << 10)
#define RCC_BUS2_BY_2 (4u << 13)
#define RCC_AHB2_RANDOM (1u << 6)
#define RCC_PORTS 7u                             /* ports A to C */
#define RCC1_USED (7u | 1u << 17 | 1u << 28)     /* timers 2 to 4, USART2, power */
#define RCC2_USED (1u << 4 | 1u << 8 | 1u << 14) /* USART1, ADC1, system configuration */

#define FLASH_CONTROL (*(volatile uint32_t *)0x40023C00)
#define FLASH_FOR_168 (5u | 7u << 8) /* wait states; prefetch and caches on */

#define FUNCTION_TIMER_2 1u
#define FUNCTION_TIMERS_3_4 2u
#define FUNCTION_USART 7u

#define SYSCFG_EXTI ((volatile uint32_t *)0x40013808)

#define ADC_CLOCK (*(volatile uint32_t *)0x40012304)
#define ADC_BY_4 (1u << 16)         /* 21 MHz, of at most 36 */
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

static void clock_start(void) {
  FLASH_CONTROL = FLASH_FOR_168;
  RCC->pll = RCC_PLL_168;
  RCC->config = RCC_BUS1_BY_4 | RCC_BUS2_BY_2;
  RCC->control |= RCC_PLL_ON;
  wait_set(&RCC->control, RCC_PLL_READY, START_ROUNDS);
  RCC->config |= RCC_PLL_SELECT;
  wait_set(&RCC->config, RCC_PLL_IN_USE, START_ROUNDS);
  RCC->enable_ahb[0] |= RCC_PORTS;
  RCC->enable1 = RCC1_USED;
  RCC->enable2 = RCC2_USED;
}

void board_start(int argc, char **argv) {
  (void)argc;
  (void)argv;
  clock_start();
  systick_start();
  ADC_CLOCK = ADC_BY_4;
  CHIP_ADC->sample[0] = CHIP_ADC->sample[1] = ADC_SAMPLE_TIME;
  CHIP_ADC->control2 = ADC_ON;
  set_function(PIN_PA9, FUNCTION_USART);
  set_function(PIN_PA10, FUNCTION_USART);
  wire_start();
  watchdog_start();
}

/* RM0090, chapter "Random number generator": the first number is not used, and equal ones are an error. */
uint32_t board_random(void) {
  uint32_t first = 0, number = 0;
  RCC->enable_ahb[1] |= RCC_AHB2_RANDOM;
  RNG->control = RNG_ENABLE;
  for (uint8_t k = 0; k < 2; k++) {
    wait_set(&RNG->status, RNG_READY, RNG_ROUNDS);
    if ((RNG->status & (RNG_ERRORS | RNG_READY)) != RNG_READY) return 0;
    first = number;
    number = RNG->data;
  }
  return number == first ? 0 : number;
}

void chip_serial_pins(void) {
  set_function(PIN_PA2, FUNCTION_USART);
  set_function(PIN_PA3, FUNCTION_USART);
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
