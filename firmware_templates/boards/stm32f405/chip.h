/* The STM32F405 as this board uses it: 168 MHz from its own oscillator, so that any crystal will do. */
#ifndef CHIP_H
#define CHIP_H

#include "cortex_m.h"
#include "stm32.h"

#define CHIP_CLOCK 168000000
#define CHIP_TIMER_CLOCK 84000000

#define CHIP_USART ((struct usart *)0x40011000)
#define CHIP_USART_CLOCK 84000000
#define CHIP_USART_INTERRUPT 37
#define CHIP_EXTI ((struct exti *)0x40013C00)
#define CHIP_RESET_CAUSE (*(volatile uint32_t *)0x40023874)

/* The chip's interrupts that are used, and their handlers. */
#define CHIP_VECTORS 82
#define CHIP_INTERRUPTS(VECTOR) \
  VECTOR(CORTEX_SYSTICK, interrupt_systick) \
  VECTOR(6, interrupt_pins) \
  VECTOR(7, interrupt_pins) \
  VECTOR(8, interrupt_pins) \
  VECTOR(9, interrupt_pins) \
  VECTOR(10, interrupt_pins) \
  VECTOR(23, interrupt_pins) \
  VECTOR(40, interrupt_pins) \
  VECTOR(37, interrupt_usart)

#endif
