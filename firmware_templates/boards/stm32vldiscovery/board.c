/* STM32VLDISCOVERY (STM32F100RB): clocks and pin functions. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"

struct rcc {
  volatile uint32_t control, config, interrupts, reset2, reset1, enable_ahb, enable2, enable1;
};

#define RCC ((struct rcc *)0x40021000)
#define RCC_PLL_ON (1u << 24)
#define RCC_PLL_READY (1u << 25)
#define RCC_PLL_BY_6 (4u << 18) /* times half the oscillator's 8 MHz */
#define RCC_PLL_SELECT 2u
#define RCC_PLL_IN_USE (2u << 2)
#define RCC_ADC_BY_2 0u                                    /* 12 MHz, of at most 14 */
#define RCC2_USED (1u << 0 | 7u << 2 | 1u << 9 | 1u << 14) /* AFIO, ports A to C, ADC1, USART1 */
#define RCC1_USED (7u | 1u << 17)                          /* timers 2 to 4, USART2 */

#define AFIO_EXTI ((volatile uint32_t *)0x40010008)

#define ADC_CALIBRATE (1u << 2)
#define ADC_RESET_CALIBRATION (1u << 3)
#define ADC_SOFTWARE_TRIGGER (7u << 17 | 1u << 20)
#define ADC_SAMPLE_TIME 0x2DB6DB6Du /* sampling time: 55.5 cycles per channel */

void chip_mode(uint8_t pin, uint32_t mode) {
  volatile uint32_t *config = &CHIP_GPIO(PORT_OF(pin))->config[BIT_OF(pin) / 8];
  const uint32_t shift = 4 * (BIT_OF(pin) % 8);
  *config = (*config & ~(0xFu << shift)) | mode << shift;
}

static void adc_start(void) {
  CHIP_ADC->sample[0] = CHIP_ADC->sample[1] = ADC_SAMPLE_TIME;
  CHIP_ADC->control2 = ADC_ON;
  for (uint32_t start = board_micros(); board_micros() - start < 2;) {
  }
  CHIP_ADC->control2 = ADC_ON | ADC_RESET_CALIBRATION;
  wait_clear(&CHIP_ADC->control2, ADC_RESET_CALIBRATION, START_ROUNDS);
  CHIP_ADC->control2 = ADC_ON | ADC_CALIBRATE;
  wait_clear(&CHIP_ADC->control2, ADC_CALIBRATE, START_ROUNDS);
  CHIP_ADC->control2 = ADC_ON | ADC_SOFTWARE_TRIGGER;
}

void board_start(int argc, char **argv) {
  (void)argc;
  (void)argv;
  RCC->config = RCC_PLL_BY_6 | RCC_ADC_BY_2;
  RCC->control |= RCC_PLL_ON;
  wait_set(&RCC->control, RCC_PLL_READY, START_ROUNDS);
  RCC->config |= RCC_PLL_SELECT;
  wait_set(&RCC->config, RCC_PLL_IN_USE, START_ROUNDS);
  RCC->enable2 = RCC2_USED;
  RCC->enable1 = RCC1_USED;
  systick_start();
  adc_start();
  chip_mode(PIN_PA9, MODE_TIMER); /* transmit; PA10, an input, receives */
  wire_start();
  watchdog_start();
}

void chip_serial_pins(void) {
  chip_mode(PIN_PA2, MODE_TIMER);
  chip_mode(PIN_PA3, MODE_FLOATING);
}

void board_input(uint8_t pin, bool pull_up) {
  if (pull_up) CHIP_GPIO(PORT_OF(pin))->set = 1u << BIT_OF(pin);
  chip_mode(pin, pull_up ? MODE_PULLED : MODE_FLOATING);
  bench_show(pin, PIN_INPUT, pull_up);
}

void chip_timer_pin(uint8_t pin, uint8_t timer) {
  (void)timer; /* each of these pins belongs to one timer */
  chip_mode(pin, MODE_TIMER);
}

void chip_timer_input(uint8_t pin, uint8_t timer) {
  (void)pin; /* timers read the inputs of their pins */
  (void)timer;
}

void chip_exti_port(uint8_t bit, uint8_t port) {
  const uint32_t shift = 4 * (bit % 4);
  AFIO_EXTI[bit / 4] = (AFIO_EXTI[bit / 4] & ~(0xFu << shift)) | (uint32_t)port << shift;
}
