/* The interrupts of the nRF51822 that this board uses. */
#ifndef CHIP_H
#define CHIP_H

#include "nrf51.h"

#define IRQ_UART 2
#define IRQ_PINS 6
#define IRQ_CLOCK 8
#define IRQ_WAVES 8 /* and the number of the timer */

#define CHIP_VECTORS 32
#define CHIP_INTERRUPTS(VECTOR)           \
  VECTOR(IRQ_UART, interrupt_uart)        \
  VECTOR(IRQ_PINS, interrupt_pins)        \
  VECTOR(IRQ_CLOCK, interrupt_clock)      \
  VECTOR(IRQ_WAVES + 1, interrupt_wave_1) \
  VECTOR(IRQ_WAVES + 2, interrupt_wave_2)

#endif
