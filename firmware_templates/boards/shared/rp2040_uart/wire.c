/* RP2040: the serial port of the wire. Its hardware buffers 32 bytes in each direction. */
#include "bare_metal.h"
#include "chip.h"
#include "config.h"
#include "cortex_m.h"

#define CLOCK 125000000u
#define PIN_TX 0
#define PIN_RX 1

void wire_start(void) {
  rp2040_start(RESET_UART0);
  const uint32_t sixty_fourths = (CLOCK * 4 + LINK_BAUD / 2) / LINK_BAUD; /* of the divider of 16 * baud */
  UART_DIVIDER = sixty_fourths / 64;
  UART_FRACTION = sixty_fourths % 64;
  UART_FORMAT = UART_8N1_BUFFERED; /* also takes over the divider */
  UART_LEVELS = 0;                 /* interrupt at 4 received bytes */
  UART_INTERRUPTS = UART_RECEIVED;
  UART_CONTROL = UART_RUN;
  PAD(PIN_RX) = PAD_DIGITAL | PAD_PULL_UP;
  PAD(PIN_TX) = PAD_DIGITAL;
  PIN_FUNCTION(PIN_RX) = FUNCTION_UART;
  PIN_FUNCTION(PIN_TX) = FUNCTION_UART;
  nvic_enable(IRQ_UART);
}

void wire_idle(void) {}

void interrupt_uart(void) {
  while (!(UART_FLAGS & UART_RX_EMPTY)) ring_put(&wire_rx, (uint8_t)UART_DATA);
}

void board_write_byte(uint8_t byte) {
  while (UART_FLAGS & UART_TX_FULL) {
  }
  UART_DATA = byte;
}
