/* STM32F100 and F103: pin functions. */
#include "bare_metal.h"
#include "chip.h"
#include "cortex_m.h"

#define RCC2_USED (1u << 0 | 7u << 2 | 1u << 9 | 1u << 14) /* AFIO, ports A to C, ADC1, USART1 */
#define RCC1_USED (7u | 1u << 17)                          /* timers 2 to 4, USART2 */

#define AFIO_REMAP (*(volatile uint32_t *)0x40010004)
#define AFIO_NO_JTAG (2u << 24) /* frees PA15, PB3 and PB4; SWD on PA13 and PA14 remains */
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
  chip_start();
  RCC->enable2 = RCC2_USED;
  RCC->enable1 = RCC1_USED;
  AFIO_REMAP = AFIO_NO_JTAG;
  systick_start(CHIP_CLOCK);
  adc_start();
  wire_start();
  watchdog_start();
}

void chip_usart_pins(uint8_t tx, uint8_t rx) {
  chip_mode(tx, MODE_TIMER);
  chip_mode(rx, MODE_FLOATING);
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
