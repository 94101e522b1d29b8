/* Shared by STM32 chips: serial ports, timers, ADC, interrupts, watchdog. Pins are numbered by port and bit:
 * PA0 is 0, PB0 is 16. */
#ifndef STM32_H
#define STM32_H

#include <stdbool.h>
#include <stdint.h>

#define PORT_OF(pin) ((pin) / 16)
#define BIT_OF(pin) ((pin) % 16)

struct usart {
  volatile uint32_t status, data, baud, control1, control2, control3;
};

#define USART_OVERRUN (1u << 3) /* a byte was lost because the previous one was not read */
#define USART_RECEIVED (1u << 5)
#define USART_TX_EMPTY (1u << 7) /* ready for the next byte */
#define USART_ENABLED (1u << 13)
#define USART_TX_ENABLED (1u << 3)
#define USART_RX_ENABLED (1u << 2)

/* Addresses and numbers that are the same in all families. */
#define USART2 ((struct usart *)0x40004400)
#define USART1_INTERRUPT 37
#define USART2_INTERRUPT 38

/* Interrupts with their handlers. */
#define CHIP_INTERRUPTS(VECTOR)             \
  VECTOR(CORTEX_SYSTICK, interrupt_systick) \
  VECTOR(6, interrupt_pins)                 \
  VECTOR(7, interrupt_pins)                 \
  VECTOR(8, interrupt_pins)                 \
  VECTOR(9, interrupt_pins)                 \
  VECTOR(10, interrupt_pins)                \
  VECTOR(23, interrupt_pins)                \
  VECTOR(40, interrupt_pins)                \
  VECTOR(WIRE_INTERRUPT, interrupt_wire)    \
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

/* Timers 2 to 4; their addresses are the same in all families. */
#define FIRST_TIMER 2
#define TIMER(number) ((struct timer *)(0x40000000 + 0x400 * ((number) - FIRST_TIMER)))

#define TIMER_RUN 1u
#define TIMER_PRELOAD_TOP (1u << 7)
#define TIMER_LOAD 1u
#define TIMER_PWM \
  0x68u /* mode 1: high while the count is below the compare value, which is updated between periods */

struct exti {
  volatile uint32_t mask, event, rising, falling, software, pending;
};

struct watchdog {
  volatile uint32_t key, prescaler, reload, status;
};

#define RESET_BY_POWER (1u << 27) /* switching on and brown-out: reference manuals, RCC_CSR */
#define RESET_BY_WATCHDOG (1u << 29)
#define RESET_CLEAR_CAUSE (1u << 24) /* clears the reset cause, which otherwise stays until power-off */

#define WATCHDOG ((struct watchdog *)0x40003000)
#define WATCHDOG_START 0xCCCCu
#define WATCHDOG_CHANGE 0x5555u
#define WATCHDOG_FEED 0xAAAAu

/* Wait until all bits of a register are set, or clear, for at most some rounds of at least 4 cycles, in case
 * the peripheral is broken. */
#define START_ROUNDS 10000
#define ADC_ROUNDS 500

static inline void wait_set(const volatile uint32_t *target, uint32_t bits, uint32_t rounds) {
  while (rounds-- > 0 && (*target & bits) != bits) {
  }
}

static inline void wait_clear(const volatile uint32_t *target, uint32_t bits, uint32_t rounds) {
  while (rounds-- > 0 && (*target & bits) != 0) {
  }
}

/* A serial port with its ring buffers. */
struct ring;
struct usart_line {
  struct usart *usart;
  uint8_t interrupt;
  struct ring *rx, *tx;
};

/* Starts a port whose clock has `clock` Hz: 8 data bits, no parity, one stop bit. */
void usart_start(const struct usart_line *line, uint32_t clock, uint32_t baud);

/* The interrupt handler of a port. */
void usart_interrupt(const struct usart_line *line);

/* Sends a byte. Returns false if the buffer is full. */
bool usart_write(const struct usart_line *line, uint8_t byte);

/* Start the wire and the watchdog. */
void wire_start(void);
void watchdog_start(void);

/* Defined by each board: starts the chip's clocks, and the flash memory for them. */
void chip_start(void);

/* Defined by each chip: sets a pin's mode, one of its MODE_ constants. */
void chip_mode(uint8_t pin, uint32_t mode);

/* Defined by each chip: connects a pin to a timer. */
void chip_timer_pin(uint8_t pin, uint8_t timer);

/* Defined by each chip: connects a pin, which is an input, to a timer. */
void chip_timer_input(uint8_t pin, uint8_t timer);

/* Defined by each chip: selects the port that uses an interrupt line. */
void chip_exti_port(uint8_t bit, uint8_t port);

/* Defined by each chip: connects two pins to their serial port. */
void chip_usart_pins(uint8_t tx, uint8_t rx);

void interrupt_wire(void);
void interrupt_serial(void);
void interrupt_pins(void);

#endif
