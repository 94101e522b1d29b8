/* STM32: bits of the clock control that the families share. To be included where RCC is defined, with the
 * registers `control` and `config`. */
#ifndef OSCILLATORS_H
#define OSCILLATORS_H

#define RCC_HSI_ON 1u
#define RCC_HSE_ON (1u << 16)
#define RCC_HSE_READY (1u << 17)
#define RCC_PLL_ON (1u << 24)
#define RCC_PLL_READY (1u << 25)
#define RCC_SELECTION 3u /* of the internal oscillator, or of another clock */
#define RCC_PLL_SELECT 2u
#define RCC_PLL_IN_USE (2u << 2)

/* Runs from the internal oscillator, with the PLL off: a boot loader may have started it. */
static inline void rcc_use_hsi(void) {
  RCC->control |= RCC_HSI_ON;
  RCC->config &= ~RCC_SELECTION;
  wait_clear(&RCC->config, RCC_PLL_IN_USE, START_ROUNDS);
  RCC->control &= ~RCC_PLL_ON;
  wait_clear(&RCC->control, RCC_PLL_READY, START_ROUNDS);
}

/* Starts the PLL, which has been set, and selects it. */
static inline void rcc_start_pll(void) {
  RCC->control |= RCC_PLL_ON;
  wait_set(&RCC->control, RCC_PLL_READY, START_ROUNDS);
  RCC->config |= RCC_PLL_SELECT;
  wait_set(&RCC->config, RCC_PLL_IN_USE, START_ROUNDS);
}

#endif
