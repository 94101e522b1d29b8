/* AVR: the serial port of the wire, with ring buffers for both directions. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "avr.h"
#include "board.h"
#include "chip.h"
#include "config.h"
#include "wire_port.h"

/* Powers of two. */
#define RX_SIZE 128
#define TX_SIZE 64

static volatile uint8_t rx[RX_SIZE], tx[TX_SIZE];
static volatile uint8_t rx_in, rx_out, tx_in, tx_out;

void wire_start(void) {
  WIRE(UCSR, A) = UART_FAST; /* before the divider */
  WIRE(UBRR, ) = UART_DIVIDER(LINK_BAUD);
  WIRE(UCSR, C) = UART_8N1;
  WIRE(UCSR, B) = UART_RECEIVE;
}

ISR(WIRE_RX_vect) {
  const uint8_t byte = WIRE(UDR, );
  const uint8_t next = (rx_in + 1) & (RX_SIZE - 1);
  if (next == rx_out) return; /* full: the damaged frame will be sent again */
  rx[rx_in] = byte;
  rx_in = next;
}

ISR(WIRE_UDRE_vect) {
  if (tx_out == tx_in) {
    WIRE(UCSR, B) &= (uint8_t)~UART_SENDING;
    return;
  }
  WIRE(UDR, ) = tx[tx_out];
  tx_out = (tx_out + 1) & (TX_SIZE - 1);
}

bool wire_has_byte(void) { return rx_in != rx_out; }

int16_t board_read_byte(void) {
  if (!wire_has_byte()) return BOARD_NO_BYTE;
  const uint8_t byte = rx[rx_out];
  rx_out = (rx_out + 1) & (RX_SIZE - 1);
  return byte;
}

void board_write_byte(uint8_t byte) {
  const uint8_t next = (tx_in + 1) & (TX_SIZE - 1);
  while (next == tx_out) {
  }
  tx[tx_in] = byte;
  tx_in = next;
  board_lock();
  WIRE(UCSR, B) |= UART_SENDING;
  board_unlock();
}

void board_disconnect(void) {}
