/* nRF51 and nRF52: the serial port to the USB interface chip, with ring buffers. */
#include "bare_metal.h"
#include "chip.h"
#include "config.h"
#include "cortex_m.h"

#define UART_CLOCK 16000000u

static struct ring tx;
static volatile bool sending;

void wire_start(void) {
  GPIO_SET(PIN_PORT(CHIP_WIRE_TX)) = PIN_BIT(CHIP_WIRE_TX); /* idle level of the line */
  GPIO_CONFIG(CHIP_WIRE_TX) = CHIP_OUTPUT;
  UART_PIN_TX = CHIP_WIRE_TX;
  UART_PIN_RX = CHIP_WIRE_RX;
  UART_BAUD = (uint32_t)((((uint64_t)LINK_BAUD << 32) / UART_CLOCK + 0x800) &
                         ~0xFFFull); /* the register has 20 bits */
  UART_ENABLE = UART_ENABLED;
  UART_INTERRUPTS = UART_BY_RECEIVED | UART_BY_SENT;
  UART_START_RX = 1;
  UART_START_TX = 1;
  nvic_enable(IRQ_UART);
}

void interrupt_uart(void) {
  if (UART_RECEIVED) {
    UART_RECEIVED = 0;
    ring_put(&wire_rx, (uint8_t)UART_RX_BYTE);
  }
  if (!UART_SENT) return;
  UART_SENT = 0;
  sending = !ring_empty(&tx);
  if (sending) UART_TX_BYTE = ring_take(&tx);
}

void board_write_byte(uint8_t byte) {
  while (ring_full(&tx)) {
  }
  const bool locked = cortex_lock();
  if (sending) {
    ring_put(&tx, byte);
  } else {
    sending = true;
    UART_TX_BYTE = byte;
  }
  cortex_unlock(locked);
}
