/* Shared by boards with an AVR. */
#ifndef AVR_H
#define AVR_H

#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>

/* Register of a serial port: UART_REGISTER(UCSR, 1, A) is UCSR1A. */
#define UART_REGISTER(name, port, suffix) UART_JOINED(name, port, suffix)
#define UART_JOINED(name, port, suffix) name##port##suffix

/* Bits of these registers; they are the same in all ports. */
#define UART_FAST _BV(1)                        /* U2X: eight clock cycles per sample */
#define UART_8N1 (_BV(2) | _BV(1))              /* UCSZ1, UCSZ0 */
#define UART_RECEIVE (_BV(4) | _BV(3) | _BV(7)) /* RXEN, TXEN, RXCIE */
#define UART_SENDING _BV(5)                     /* UDRIE */
#define UART_DIVIDER(baud) ((F_CPU / 4 / (baud) - 1) / 2)

/* Register of the wire's serial port. */
#define WIRE(name, suffix) UART_REGISTER(name, WIRE_UART, suffix)

/* Return the register PORTx of a pin, and the mask of its bit. */
volatile uint8_t *chip_port(uint8_t pin);
uint8_t chip_mask(uint8_t pin);

#endif
