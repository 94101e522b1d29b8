/* BBC micro:bit: the serial port to the chip behind its USB socket, with buffers that interrupts fill and
 * empty. */
#include "bare_metal.h"
#include "chip.h"
#include "config.h"
#include "cortex_m.h"

#define PIN_OUT 24
#define PIN_IN 25
#define CHIP_CLOCK 16000000u

static struct ring given;
static volatile bool sending;

void wire_start(void) {
  GPIO_SET = 1u << PIN_OUT; /* as a line is when nobody sends */
  GPIO_CONFIG[PIN_OUT] = CONFIG_OUTPUT;
  UART_PIN_OUT = PIN_OUT;
  UART_PIN_IN = PIN_IN;
  UART_BAUD = (uint32_t)((((uint64_t)LINK_BAUD << 32) / CHIP_CLOCK + 0x800) & ~0xFFFull); /* 20 bits count */
  UART_ENABLE = UART_ON;
  UART_INTERRUPTS = UART_BY_RECEIVED | UART_BY_SENT;
  UART_START_RECEIVER = 1;
  UART_START_SENDER = 1;
  nvic_enable(IRQ_UART);
}

void interrupt_uart(void) {
  if (UART_RECEIVED) {
    UART_RECEIVED = 0;
    ring_put(&wire_taken, (uint8_t)UART_IN);
  }
  if (!UART_SENT) return;
  UART_SENT = 0;
  sending = !ring_empty(&given);
  if (sending) UART_OUT = ring_take(&given);
}

void board_write_byte(uint8_t byte) {
  while (ring_full(&given)) {
  }
  const bool locked = cortex_lock();
  if (sending) {
    ring_put(&given, byte);
  } else {
    sending = true;
    UART_OUT = byte;
  }
  cortex_unlock(locked);
}
