/* Arduino Uno: the serial port, with a buffer in each direction that interrupts fill and empty. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "board.h"
#include "config.h"
#include "uno.h"

/* Powers of two. */
#define TAKEN 128
#define GIVEN 64

static volatile uint8_t taken[TAKEN], given[GIVEN];
static volatile uint8_t taken_in, taken_out, given_in, given_out;

void wire_start(void) {
  UCSR0A = _BV(U2X0); /* before the divider */
  UBRR0 = (F_CPU / 4 / LINK_BAUD - 1) / 2;
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
  UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

ISR(USART_RX_vect) {
  const uint8_t byte = UDR0;
  const uint8_t next = (taken_in + 1) & (TAKEN - 1);
  if (next == taken_out) return; /* full: the frame will be found damaged and sent again */
  taken[taken_in] = byte;
  taken_in = next;
}

ISR(USART_UDRE_vect) {
  if (given_out == given_in) {
    UCSR0B &= (uint8_t)~_BV(UDRIE0);
    return;
  }
  UDR0 = given[given_out];
  given_out = (given_out + 1) & (GIVEN - 1);
}

bool wire_waits(void) { return taken_in != taken_out; }

int16_t board_read_byte(void) {
  if (!wire_waits()) return BOARD_NOTHING;
  const uint8_t byte = taken[taken_out];
  taken_out = (taken_out + 1) & (TAKEN - 1);
  return byte;
}

void board_write_byte(uint8_t byte) {
  const uint8_t next = (given_in + 1) & (GIVEN - 1);
  while (next == given_out) {
  }
  given[given_in] = byte;
  given_in = next;
  board_lock();
  UCSR0B |= _BV(UDRIE0);
  board_unlock();
}

void board_hang_up(void) {}
