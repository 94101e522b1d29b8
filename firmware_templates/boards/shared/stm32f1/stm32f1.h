/* STM32F100 and F103: addresses, clocks and pin modes. */
#ifndef STM32F1_H
#define STM32F1_H

#include "cortex_m.h"
#include "stm32.h"

struct rcc {
  volatile uint32_t control, config, interrupts, reset2, reset1, enable_ahb, enable2, enable1;
};

#define RCC ((struct rcc *)0x40021000)

#include "oscillators.h"

#define RCC_PLL_FROM_HSE (1u << 16)                /* otherwise half the internal oscillator's 8 MHz */
#define RCC_PLL_BY(factor) (((factor) - 2u) << 18) /* 2 to 16 */
#define RCC_BUS1_BY_2 (4u << 8)
#define RCC_ADC_BY_2 0u
#define RCC_ADC_BY_6 (2u << 14)

/* Starts the PLL and selects it; `config` has its source, its factor and the dividers behind it. */
static inline void rcc_use_pll(uint32_t config) {
  RCC->config = config;
  rcc_start_pll();
}

#define CHIP_LOW_CLOCK 40000 /* Hz; of the watchdog (RM0008, 19.3.1) */
#define USART1 ((struct usart *)0x40013800)
#define CHIP_EXTI ((struct exti *)0x40010400)
#define CHIP_RESET_CAUSE (*(volatile uint32_t *)0x40021024)

struct gpio {
  volatile uint32_t config[2], input, output, set, clear, lock;
};

#define CHIP_GPIO(port) ((struct gpio *)(0x40010800 + 0x400 * (port)))
#define MODE_ANALOG 0x0u
#define MODE_FLOATING 0x4u
#define MODE_PULLED 0x8u
#define MODE_OUTPUT 0x2u /* 2 MHz, push-pull */
#define MODE_TIMER 0xAu

#define CHIP_ADC ((struct adc *)0x40012400)
#define CHIP_ADC_START (1u << 22)

#endif
