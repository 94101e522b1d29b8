/* What chips of the family STM32 share: serial ports, timers, converter, interrupts, watchdog. Pins are
   numbered by port and bit: PA0 is 0, PB0 is 16. */
#ifndef STM32_H
#define STM32_H

#include <stdbool.h>
#include <stdint.h>

#define PORT_OF(pin) ((pin) / 16)
#define BIT_OF(pin) ((pin) % 16)

struct usart {
  volatile uint32_t status, data, baud, control1, control2, control3;
};

#define USART_OVERRUN (1u << 3) /* a byte was lost, as nobody had taken the one before */
#define USART_RECEIVED (1u << 5)
#define USART_FREE (1u << 7) /* to be sent next */
#define USART_ON (1u << 13)
#define USART_SENDER (1u << 3)
#define USART_RECEIVER (1u << 2)

/* USART2, the second serial port: in all families at the same place, with the same pins. */
#define SERIAL_USART ((struct usart *)0x40004400)

/* Interrupts that are used, with their handlers; in all families they have the same numbers. */
#define USART_INTERRUPT 37
#define SERIAL_INTERRUPT 38
#define CHIP_INTERRUPTS(VECTOR)             \
  VECTOR(CORTEX_SYSTICK, interrupt_systick) \
  VECTOR(6, interrupt_pins)                 \
  VECTOR(7, interrupt_pins)                 \
  VECTOR(8, interrupt_pins)                 \
  VECTOR(9, interrupt_pins)                 \
  VECTOR(10, interrupt_pins)                \
  VECTOR(23, interrupt_pins)                \
  VECTOR(40, interrupt_pins)                \
  VECTOR(USART_INTERRUPT, interrupt_usart)  \
  VECTOR(SERIAL_INTERRUPT, interrupt_serial)

struct adc {
  volatile uint32_t status, control1, control2, sample[2], offset[4], high, low, sequence[3], injected,
      ranks[4], data;
};

#define ADC_ON 1u
#define ADC_DONE (1u << 1)

struct timer {
  volatile uint32_t control1, control2, slave, interrupts, status, event;
  volatile uint32_t mode[2], enable, count, prescaler, top, repeat, compare[4];
};

#define TIMER_RUN 1u
#define TIMER_PRELOAD_TOP (1u << 7)
#define TIMER_LOAD 1u
#define TIMER_PWM \
  0x68u /* high while the count is below the compare value, which is taken over between rounds */

struct exti {
  volatile uint32_t mask, event, rising, falling, software, pending;
};

struct watchdog {
  volatile uint32_t key, prescaler, reload, status;
};

#define RESET_BY_WATCHDOG (1u << 29)
#define RESET_FORGOTTEN (1u << 24) /* else the cause stays until the power goes */

#define WATCHDOG ((struct watchdog *)0x40003000)
#define WATCHDOG_START 0xCCCCu
#define WATCHDOG_CHANGE 0x5555u
#define WATCHDOG_FEED 0xAAAAu

/* Wait until all bits of a register are set, or clear, for some rounds of at least 4 cycles: a part of the
   chip that is broken does not hold the program for ever. */
#define START_ROUNDS 10000
#define ADC_ROUNDS 500

static inline void wait_set(const volatile uint32_t *what, uint32_t bits, uint32_t rounds) {
  while (rounds-- > 0 && (*what & bits) != bits) {
  }
}

static inline void wait_clear(const volatile uint32_t *what, uint32_t bits, uint32_t rounds) {
  while (rounds-- > 0 && (*what & bits) != 0) {
  }
}

/* A serial port with its buffers. */
struct ring;
struct usart_line {
  struct usart *usart;
  uint32_t clock; /* Hz */
  uint8_t interrupt;
  struct ring *taken, *given;
};

/* Let bytes come and go: 8 bits, no parity, one stop bit. */
void usart_start(const struct usart_line *line, uint32_t baud);

/* What the port's interrupt has to do. */
void usart_interrupt(const struct usart_line *line);

/* Send a byte. False: there is no room for it now. */
bool usart_write(const struct usart_line *line, uint8_t byte);

/* Start the wire, and the watchdog. */
void wire_start(void);
void watchdog_start(void);

/* Each chip: what a pin is for: one of the chip's MODE_... */
void chip_mode(uint8_t pin, uint32_t mode);

/* Each chip: let a timer drive a pin. */
void chip_timer_pin(uint8_t pin, uint8_t timer);

/* Each chip: choose the port whose pins with this bit may call for an interrupt. */
void chip_exti_port(uint8_t bit, uint8_t port);

/* Each chip: give PA2 and PA3 to USART2. */
void chip_serial_pins(void);

void interrupt_usart(void);
void interrupt_serial(void);
void interrupt_pins(void);

#endif
