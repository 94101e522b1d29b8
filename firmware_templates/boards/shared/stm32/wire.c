/* STM32: the serial port USART1, with a buffer in each direction that interrupts fill and empty. */
#include "bare_metal.h"
#include "chip.h"
#include "config.h"
#include "cortex_m.h"
#include "stm32.h"

static struct ring given;

void wire_start(void) {
  CHIP_USART->baud = (CHIP_USART_CLOCK + LINK_BAUD / 2) / LINK_BAUD;
  CHIP_USART->control1 = USART_ON | USART_SENDER | USART_RECEIVER | USART_RECEIVED;
  nvic_enable(USART_INTERRUPT);
}

void interrupt_usart(void) {
  if (CHIP_USART->status & USART_RECEIVED)
    ring_put(&wire_taken, (uint8_t)CHIP_USART->data);
  if (!(CHIP_USART->control1 & USART_FREE) || !(CHIP_USART->status & USART_FREE))
    return;
  if (ring_empty(&given))
    CHIP_USART->control1 &= ~USART_FREE;
  else
    CHIP_USART->data = ring_take(&given);
}

void board_write_byte(uint8_t byte) {
  while (ring_full(&given)) {
  }
  const bool locked = cortex_lock();
  if (ring_empty(&given) && CHIP_USART->status & USART_FREE) {
    CHIP_USART->data = byte;
  } else {
    ring_put(&given, byte);
    CHIP_USART->control1 |= USART_FREE;
  }
  cortex_unlock(locked);
}
