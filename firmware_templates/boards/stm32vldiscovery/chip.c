/* STM32VLDISCOVERY: the clocks. */
#include "chip.h"

/* The ADC has 12 MHz, of at most 12 (data sheet of the STM32F100xB, "12-bit ADC characteristics"). */
void chip_start(void) {
  rcc_use_hsi();
  rcc_use_pll(RCC_PLL_BY(6) | RCC_ADC_BY_2);
}
