/* Interrupts of the nRF51822 that this board uses. */
#ifndef CHIP_H
#define CHIP_H

#include "nrf51.h"

#define IRQ_UART 2
#define IRQ_PINS 6
#define IRQ_CLOCK 8
#define IRQ_TIMERS 8 /* plus the timer's number */

#define CHIP_VECTORS 32
#define CHIP_INTERRUPTS(VECTOR)           \
  VECTOR(IRQ_UART, interrupt_uart)        \
  VECTOR(IRQ_PINS, interrupt_pins)        \
  VECTOR(IRQ_CLOCK, interrupt_clock)      \
  VECTOR(IRQ_TIMERS + 1, interrupt_pwm_1) \
  VECTOR(IRQ_TIMERS + 2, interrupt_pwm_2)

#endif
