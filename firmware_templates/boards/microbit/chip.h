/* The nRF51822: its port, and the interrupts that this board uses. */
#ifndef CHIP_H
#define CHIP_H

#include "nrf.h"

#define PIN_PORT(pin) 0
#define PIN_NUMBER(pin) (pin)
#define PIN_BIT(pin) (1u << (pin))

#define CHIP_OUTPUT CONFIG_OUTPUT
#define CHIP_WIRE_TX 24
#define CHIP_WIRE_RX 25

#define CHIP_RESET_BY_WATCHDOG(cause) ((cause) & RESET_BY_WATCHDOG)

#define IRQ_TIMERS 8 /* plus the timer's number */

#define CHIP_VECTORS 32
#define CHIP_INTERRUPTS(VECTOR)           \
  VECTOR(IRQ_UART, interrupt_uart)        \
  VECTOR(IRQ_PINS, interrupt_pins)        \
  VECTOR(IRQ_CLOCK, interrupt_clock)      \
  VECTOR(IRQ_TIMERS + 1, interrupt_pwm_1) \
  VECTOR(IRQ_TIMERS + 2, interrupt_pwm_2)

/* Nothing to set up before the pins are used. */
static inline void chip_start(void) {}

void interrupt_pwm_1(void);
void interrupt_pwm_2(void);

#endif
