/* STM32: serial ports, with a buffer in each direction that interrupts fill and empty. */
#include "bare_metal.h"
#include "cortex_m.h"
#include "stm32.h"

void usart_start(const struct usart_line *line, uint32_t baud) {
  line->usart->baud = (line->clock + baud / 2) / baud;
  line->usart->control1 = USART_ON | USART_SENDER | USART_RECEIVER | USART_RECEIVED;
  nvic_enable(line->interrupt);
}

/* Reading the data also ends an overrun, which calls for an interrupt even if no byte has come besides. */
void usart_interrupt(const struct usart_line *line) {
  struct usart *usart = line->usart;
  const uint32_t status = usart->status;
  if (status & (USART_RECEIVED | USART_OVERRUN)) {
    const uint8_t byte = (uint8_t)usart->data;
    if (status & USART_RECEIVED) ring_put(line->taken, byte);
  }
  if (!(usart->control1 & USART_FREE) || !(usart->status & USART_FREE)) return;
  if (ring_empty(line->given))
    usart->control1 &= ~USART_FREE;
  else
    usart->data = ring_take(line->given);
}

bool usart_write(const struct usart_line *line, uint8_t byte) {
  if (ring_full(line->given)) return false;
  const bool locked = cortex_lock();
  if (ring_empty(line->given) && line->usart->status & USART_FREE) {
    line->usart->data = byte;
  } else {
    ring_put(line->given, byte);
    line->usart->control1 |= USART_FREE;
  }
  cortex_unlock(locked);
  return true;
}
