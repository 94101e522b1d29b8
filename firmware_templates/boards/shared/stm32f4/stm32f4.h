/* STM32F401, F405, F411 and F446: addresses, clocks and pin modes. */
#ifndef STM32F4_H
#define STM32F4_H

#include "cortex_m.h"
#include "stm32.h"

struct rcc {
  volatile uint32_t control, pll, config, interrupts, reset[8], enable_ahb[4], enable1, enable2;
};

#define RCC ((struct rcc *)0x40023800)

#include "oscillators.h"

#define RCC_HSE_BYPASS (1u << 18)   /* a clock signal instead of a crystal */
#define RCC_PLL_FROM_HSE (1u << 22) /* otherwise the internal oscillator's 16 MHz */
#define RCC_BUS1_BY_2 (4u << 10)
#define RCC_BUS1_BY_4 (5u << 10)
#define RCC_BUS2_BY_2 (4u << 13)
#define RCC_AHB2_RANDOM (1u << 6)
#define RCC1_POWER (1u << 28)

/* The PLL's setting for the processor: source / m * n / p; / q is for USB, at most 48 MHz; the bits of r have
 * their value after reset. */
#define RCC_PLL(m, n, p, q) (2u << 28 | (q) << 24 | ((p) / 2u - 1u) << 16 | (n) << 6 | (m))

/* Starts the PLL and selects it. */
static inline void rcc_use_pll(uint32_t pll, uint32_t dividers) {
  RCC->pll = pll;
  RCC->config = dividers;
  rcc_start_pll();
}

#define FLASH_ACCESS (*(volatile uint32_t *)0x40023C00)
#define FLASH_CACHES (7u << 8) /* prefetch and caches on */

#define POWER_CONTROL (*(volatile uint32_t *)0x40007000)
#define POWER_SCALE(vos) ((vos) << 14) /* voltage of the core */

#define CHIP_LOW_CLOCK 32000 /* Hz; of the watchdog (RM0090, 21.3) */
#define USART1 ((struct usart *)0x40011000)
#define CHIP_EXTI ((struct exti *)0x40013C00)
#define CHIP_RESET_CAUSE (*(volatile uint32_t *)0x40023874)

struct gpio {
  volatile uint32_t mode, type, speed, pull, input, output, set, lock, function[2];
};

#define CHIP_GPIO(port) ((struct gpio *)(0x40020000 + 0x400 * (port)))
enum { MODE_INPUT, MODE_OUTPUT, MODE_FUNCTION, MODE_ANALOG };

#define CHIP_ADC ((struct adc *)0x40012000)
#define CHIP_ADC_START (1u << 30)

#endif
