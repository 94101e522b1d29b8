/* RP2040: crystal, PLL, clocks of the system and its peripherals. */
#include "rp2040.h"

#define ROUNDS 100000u /* limit of waiting for what takes 1 ms at most, in case it is broken */
#define STARTUP 47u    /* 1 ms in units of 256 cycles of the crystal */
/* 12 MHz * 125 / 6 / 2 = 125 MHz */
#define FEEDBACK 125u
#define DIVIDERS (6u << 16 | 2u << 12)

static void wait_for(volatile uint32_t *status, uint32_t bits) {
  for (uint32_t k = 0; k < ROUNDS && (*status & bits) != bits; k++) {
  }
}

void rp2040_start(uint32_t peripherals) {
  RESETS_SET = peripherals;
  RESETS_CLEAR = peripherals;
  wait_for(&RESETS_DONE, peripherals);
}

void pll_start(struct pll *pll, uint32_t feedback, uint32_t dividers) {
  pll->status = 1; /* divider of its input */
  pll->feedback = feedback;
  pll->power = PLL_WITHOUT_OUTPUT;
  wait_for(&pll->status, PLL_LOCKED);
  pll->dividers = dividers;
  pll->power = 0;
}

void clocks_start(void) {
  XOSC_STARTUP = STARTUP;
  XOSC_CONTROL = XOSC_ENABLED;
  wait_for(&XOSC_STATUS, XOSC_STABLE);
  CLOCK_REFERENCE = CLOCK_FROM_XOSC;
  wait_for(&CLOCK_REFERENCE_SELECTED, 1u << CLOCK_FROM_XOSC);
  CLOCK_SYSTEM = CLOCK_FROM_REFERENCE; /* not from the PLL while that is reset */
  wait_for(&CLOCK_SYSTEM_SELECTED, 1u << CLOCK_FROM_REFERENCE);
  rp2040_start(RESET_PLL_SYS);
  pll_start(&PLL_SYS, FEEDBACK, DIVIDERS);
  CLOCK_SYSTEM = CLOCK_FROM_PLL;
  wait_for(&CLOCK_SYSTEM_SELECTED, 1u << CLOCK_FROM_PLL);
  CLOCK_PERIPHERALS = CLOCK_ENABLED; /* from the system clock */
  CLOCK_ADC = CLOCK_ENABLED | CLOCK_ADC_FROM_XOSC;
}
