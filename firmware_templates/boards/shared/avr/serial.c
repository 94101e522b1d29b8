/* AVR: a second serial port. Not listed in a board's sources if its chip has only one. */
#include <avr/interrupt.h>

#include "avr.h"
#include "board.h"
#include "chip.h"

#define SERIAL(name, suffix) UART_REGISTER(name, SERIAL_UART, suffix)

/* A ring buffer; 8-bit indices wrap around by themselves. */
struct ring {
  volatile uint8_t bytes[256];
  volatile uint8_t in, out;
};

struct ring serial_rx; /* not static: test benches find it by name */
static struct ring serial_tx;

struct buffers {
  struct ring *rx, *tx;
};

/* Interrupts access the buffers only through this, so that the linker omits them if the port is not used. */
static struct buffers started;

void board_serial_start(uint32_t baud) {
  started = (struct buffers){&serial_rx, &serial_tx};
  SERIAL(UCSR, A) = UART_FAST; /* before the divider */
  SERIAL(UBRR, ) = (uint16_t)UART_DIVIDER(baud);
  SERIAL(UCSR, C) = UART_8N1;
  SERIAL(UCSR, B) = UART_RECEIVE;
}

ISR(SERIAL_RX_vect) {
  struct ring *const rx = started.rx;
  const uint8_t byte = SERIAL(UDR, ), next = (uint8_t)(rx->in + 1);
  if (next == rx->out) return; /* full: the packet is lost */
  rx->bytes[rx->in] = byte;
  rx->in = next;
}

ISR(SERIAL_UDRE_vect) {
  struct ring *const tx = started.tx;
  if (tx->out == tx->in) {
    SERIAL(UCSR, B) &= (uint8_t)~UART_SENDING;
    return;
  }
  SERIAL(UDR, ) = tx->bytes[tx->out];
  tx->out++;
}

int16_t board_serial_read(void) {
  if (serial_rx.in == serial_rx.out) return BOARD_NO_BYTE;
  const uint8_t byte = serial_rx.bytes[serial_rx.out];
  serial_rx.out++;
  return byte;
}

bool board_serial_write(uint8_t byte) {
  const uint8_t next = (uint8_t)(serial_tx.in + 1);
  if (next == serial_tx.out) return false;
  serial_tx.bytes[serial_tx.in] = byte;
  serial_tx.in = next;
  board_lock();
  SERIAL(UCSR, B) |= UART_SENDING;
  board_unlock();
  return true;
}
