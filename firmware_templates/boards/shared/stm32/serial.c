/* STM32: the second serial port. */
#include "bare_metal.h"
#include "chip.h"
#include "stm32.h"

struct ring serial_rx; /* not static: test benches find it by name */
static struct ring serial_tx;
static const struct usart_line serial = {SERIAL_USART, SERIAL_INTERRUPT, &serial_rx, &serial_tx};

/* The interrupt accesses the port only through this, so that the linker omits the buffers if the port is not
 * used. */
static const struct usart_line *volatile started;

void board_serial_start(uint32_t baud) {
  started = &serial;
  chip_usart_pins(SERIAL_TX, SERIAL_RX);
  usart_start(&serial, SERIAL_CLOCK, baud);
}

void interrupt_serial(void) {
  if (started) usart_interrupt(started);
}

int16_t board_serial_read(void) { return ring_empty(&serial_rx) ? BOARD_NO_BYTE : ring_take(&serial_rx); }

bool board_serial_write(uint8_t byte) { return usart_write(&serial, byte); }
