/* The STM32F405 at 168 MHz from its internal oscillator, independent of the board's crystal. */
#ifndef CHIP_H
#define CHIP_H

#include "cortex_m.h"
#include "stm32.h"

#define CHIP_CLOCK 168000000
#define CHIP_TIMER_CLOCK 84000000

#define CHIP_USART ((struct usart *)0x40011000)
#define CHIP_USART_CLOCK 84000000
#define CHIP_SERIAL_CLOCK 42000000
#define CHIP_EXTI ((struct exti *)0x40013C00)
#define CHIP_RESET_CAUSE (*(volatile uint32_t *)0x40023874)
#define CHIP_VECTORS 82

struct gpio {
  volatile uint32_t mode, type, speed, pull, input, output, set, lock, function[2];
};

#define CHIP_GPIO(port) ((struct gpio *)(0x40020000 + 0x400 * (port)))
enum { MODE_INPUT, MODE_OUTPUT, MODE_FUNCTION, MODE_ANALOG };

#define CHIP_ADC ((struct adc *)0x40012000)
#define CHIP_ADC_START (1u << 30)

#endif
