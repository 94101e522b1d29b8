/* BluePill: the clocks. */
#include "chip.h"

#define FLASH_ACCESS (*(volatile uint32_t *)0x40022000)
#define FLASH_FOR_72 (2u | 1u << 4) /* wait states; prefetch on */

#define CRYSTAL_ROUNDS 100000 /* of at least 4 cycles of 8 MHz: 50 ms; crystals need a few ms */

/* Bus 1 has at most 36 MHz, the ADC at most 14 (RM0008, 7.2 and 11.1). */
#define DIVIDERS (RCC_BUS1_BY_2 | RCC_ADC_BY_6)

uint32_t chip_clock;

/* Without its crystal, or with a broken one, the board runs from the internal oscillator, whose half the PLL
 * multiplies by at most 16. Everything works then, too, as fast as the oscillator's 1 % allows. */
void chip_start(void) {
  rcc_use_hsi();
  FLASH_ACCESS = FLASH_FOR_72;
  RCC->control |= RCC_HSE_ON;
  wait_set(&RCC->control, RCC_HSE_READY, CRYSTAL_ROUNDS);
  if (RCC->control & RCC_HSE_READY) {
    chip_clock = 72000000;
    rcc_use_pll(RCC_PLL_FROM_HSE | RCC_PLL_BY(9) | DIVIDERS);
  } else {
    chip_clock = 64000000;
    RCC->control &= ~RCC_HSE_ON;
    rcc_use_pll(RCC_PLL_BY(16) | DIVIDERS);
  }
}
