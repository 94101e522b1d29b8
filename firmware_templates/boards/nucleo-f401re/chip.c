/* Nucleo boards with an STM32F4: the clocks. */
#include "chip.h"

/* The ST-LINK sends its clock of 8 MHz, which is as exact as a crystal. If it does not, because the
 * connection is cut or the ST-LINK is broken off, the internal oscillator gives the same frequencies within 1
 * %. */
void chip_start(void) {
  rcc_use_hsi();
  RCC->enable1 |= RCC1_POWER;
  wait_set(&RCC->enable1, RCC1_POWER, 1);           /* a clock takes a moment to arrive */
  POWER_CONTROL |= POWER_SCALE(CHIP_VOLTAGE_SCALE); /* before the PLL starts */
  FLASH_ACCESS = FLASH_CACHES | CHIP_FLASH_WAITS;
  RCC->control |= RCC_HSE_BYPASS;
  RCC->control |= RCC_HSE_ON;
  wait_set(&RCC->control, RCC_HSE_READY, START_ROUNDS);
  if (RCC->control & RCC_HSE_READY) {
    rcc_use_pll(CHIP_PLL(4u) | RCC_PLL_FROM_HSE, CHIP_BUSES);
  } else {
    RCC->control &= ~RCC_HSE_ON;
    rcc_use_pll(CHIP_PLL(8u), CHIP_BUSES);
  }
}
