/* Interrupts of the RP2040 that this board uses. */
#ifndef CHIP_H
#define CHIP_H

#include "rp2040.h"

/* The reset of the Cortex-M0+ (SYSRESETREQ) is that of the processor alone: PWM and USB would go on. The
 * watchdog resets the whole chip; its cause is then not the timer, so the controller starts again. */
#define CHIP_RESET() (POWER_WATCHDOG = POWER_ALL_BUT_OSCILLATORS, WATCHDOG_CONTROL = WATCHDOG_TRIGGER)

#define IRQ_CLOCK 0
#define IRQ_TICKS 1
#define IRQ_USB 5
#define IRQ_PINS 13
#define IRQ_UART 20

#define CHIP_VECTORS 32
#define CHIP_INTERRUPTS(VECTOR)      \
  VECTOR(IRQ_CLOCK, interrupt_clock) \
  VECTOR(IRQ_TICKS, interrupt_ticks) \
  VECTOR(IRQ_USB, interrupt_usb)     \
  VECTOR(IRQ_PINS, interrupt_pins)   \
  VECTOR(IRQ_UART, interrupt_uart)

void interrupt_clock(void);
void interrupt_pins(void);

/* Of a program with stepper motors, and of the wire that it has. */
__attribute__((weak)) void interrupt_ticks(void);
__attribute__((weak)) void interrupt_usb(void);
__attribute__((weak)) void interrupt_uart(void);

#endif
