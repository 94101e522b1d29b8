/* The STM32F100RB at 24 MHz from its internal oscillator. */
#ifndef CHIP_H
#define CHIP_H

#include "cortex_m.h"
#include "stm32.h"

#define CHIP_CLOCK 24000000
#define CHIP_TIMER_CLOCK CHIP_CLOCK

#define CHIP_USART ((struct usart *)0x40013800)
#define CHIP_USART_CLOCK CHIP_CLOCK
#define CHIP_SERIAL_CLOCK CHIP_CLOCK
#define CHIP_EXTI ((struct exti *)0x40010400)
#define CHIP_RESET_CAUSE (*(volatile uint32_t *)0x40021024)
#define CHIP_VECTORS 61

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
