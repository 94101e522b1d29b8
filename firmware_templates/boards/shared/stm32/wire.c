/* STM32: the wire is USART1. */
#include "bare_metal.h"
#include "chip.h"
#include "config.h"
#include "stm32.h"

static struct ring tx;
static const struct usart_line wire = {CHIP_USART, CHIP_USART_CLOCK, USART_INTERRUPT, &wire_rx, &tx};

void wire_start(void) { usart_start(&wire, LINK_BAUD); }

void interrupt_usart(void) { usart_interrupt(&wire); }

void board_write_byte(uint8_t byte) {
  while (!usart_write(&wire, byte)) {
  }
}
