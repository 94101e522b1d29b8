/* STM32: the wire. */
#include "bare_metal.h"
#include "chip.h"
#include "config.h"
#include "stm32.h"

static struct ring tx;
static const struct usart_line wire = {WIRE_USART, WIRE_INTERRUPT, &wire_rx, &tx};

void wire_start(void) {
  chip_usart_pins(WIRE_TX, WIRE_RX);
  usart_start(&wire, WIRE_CLOCK, LINK_BAUD);
}

void interrupt_wire(void) { usart_interrupt(&wire); }

void board_write_byte(uint8_t byte) {
  while (!usart_write(&wire, byte)) {
  }
}
