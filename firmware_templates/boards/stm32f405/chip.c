/* STM32F405: clocks and random numbers. */
#include "chip.h"

#include "board.h"

struct rng {
  volatile uint32_t control, status, data;
};

#define RNG ((struct rng *)0x50060800)
#define RNG_ENABLE (1u << 2)
#define RNG_READY 1u
#define RNG_ERRORS 6u    /* of its clock, or of the numbers */
#define RNG_ROUNDS 10000 /* of at least 4 cycles: 0.2 ms; a number takes 40 cycles of 48 MHz */

void chip_start(void) {
  rcc_use_hsi();
  FLASH_ACCESS = FLASH_CACHES | 5u; /* wait states */
  rcc_use_pll(RCC_PLL(8u, 168u, 2u, 7u), RCC_BUS1_BY_4 | RCC_BUS2_BY_2);
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
