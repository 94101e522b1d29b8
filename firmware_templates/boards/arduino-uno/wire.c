/* Arduino Uno: the serial port, with ring buffers for both directions. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "board.h"
#include "config.h"
#include "uno.h"

/* Powers of two. */
#define RX_SIZE 128
#define TX_SIZE 64

static volatile uint8_t rx[RX_SIZE], tx[TX_SIZE];
static volatile uint8_t rx_in, rx_out, tx_in, tx_out;

void wire_start(void) {
  UCSR0A = _BV(U2X0); /* before the divider */
  UBRR0 = (F_CPU / 4 / LINK_BAUD - 1) / 2;
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
  UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

ISR(USART_RX_vect) {
  const uint8_t byte = UDR0;
  const uint8_t next = (rx_in + 1) & (RX_SIZE - 1);
  if (next == rx_out) return; /* full: the damaged frame will be sent again */
  rx[rx_in] = byte;
  rx_in = next;
}

ISR(USART_UDRE_vect) {
  if (tx_out == tx_in) {
    UCSR0B &= (uint8_t)~_BV(UDRIE0);
    return;
  }
  UDR0 = tx[tx_out];
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
  UCSR0B |= _BV(UDRIE0);
  board_unlock();
}

void board_disconnect(void) {}
