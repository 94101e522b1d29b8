/* STM32: the second serial port is USART2 at PA2 and PA3. */
#include "bare_metal.h"
#include "chip.h"
#include "stm32.h"

static struct ring serial_taken, serial_given; /* a bench knows the first one by its name */
static const struct usart_line serial = {SERIAL_USART, CHIP_SERIAL_CLOCK, SERIAL_INTERRUPT, &serial_taken,
                                         &serial_given};

/* The interrupt knows the port by this alone: so the linker leaves out the buffers where nothing starts it.
 */
static const struct usart_line *volatile started;

void board_serial_start(uint32_t baud) {
  started = &serial;
  chip_serial_pins();
  usart_start(&serial, baud);
}

void interrupt_serial(void) {
  if (started) usart_interrupt(started);
}

int16_t board_serial_read(void) {
  return ring_empty(&serial_taken) ? BOARD_NOTHING : ring_take(&serial_taken);
}

bool board_serial_write(uint8_t byte) { return usart_write(&serial, byte); }
