/* STM32: serial ports, with ring buffers for both directions. */
#include "bare_metal.h"
#include "cortex_m.h"
#include "stm32.h"

void usart_start(const struct usart_line *line, uint32_t clock, uint32_t baud) {
  line->usart->baud = (clock + baud / 2) / baud;
  line->usart->control1 = USART_ENABLED | USART_TX_ENABLED | USART_RX_ENABLED | USART_RECEIVED;
  nvic_enable(line->interrupt);
}

/* Reading the data register also clears an overrun, which causes an interrupt even without a new byte. */
void usart_interrupt(const struct usart_line *line) {
  struct usart *usart = line->usart;
  const uint32_t status = usart->status;
  if (status & (USART_RECEIVED | USART_OVERRUN)) {
    const uint8_t byte = (uint8_t)usart->data;
    if (status & USART_RECEIVED) ring_put(line->rx, byte);
  }
  if (!(usart->control1 & USART_TX_EMPTY) || !(usart->status & USART_TX_EMPTY)) return;
  if (ring_empty(line->tx))
    usart->control1 &= ~USART_TX_EMPTY;
  else
    usart->data = ring_take(line->tx);
}

bool usart_write(const struct usart_line *line, uint8_t byte) {
  if (ring_full(line->tx)) return false;
  const bool locked = cortex_lock();
  if (ring_empty(line->tx) && line->usart->status & USART_TX_EMPTY) {
    line->usart->data = byte;
  } else {
    ring_put(line->tx, byte);
    line->usart->control1 |= USART_TX_EMPTY;
  }
  cortex_unlock(locked);
  return true;
}
