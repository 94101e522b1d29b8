/* See simavr_i2c.h. */
#include "simavr_i2c.h"

#include <avr_twi.h>
#include <stdio.h>
#include <string.h>

#include "registers.h"

#define READS 1u /* of an address */

static avr_t *avr;
static avr_twi_t *port;

/* The addressed device, whether it exists, whether its first byte is next, whether the last byte from it was
 * acknowledged. */
static uint8_t addressed;
static bool answers, first_byte, wants_more;

static bool held, refuses;
static bool occupied; /* since a start condition */
static bool selected; /* something was written since then */
static unsigned faults;

enum { UNSELECTED = 1, UNFINISHED = 2, UNCLAIMED = 4 };

static void answer(uint8_t what, uint8_t address, uint8_t data) {
  avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_INPUT),
                avr_twi_irq_msg(what, address, data));
}

static void begin(uint8_t address) {
  const bool is_sending = wants_more; /* its next byte: it sees no start, nor its address */
  if (is_sending) faults |= UNFINISHED;
  addressed = address >> 1;
  answers = registers_connected(addressed) && !is_sending;
  if (answers && address & READS && !selected) faults |= UNSELECTED;
  wants_more = false;
  occupied = first_byte = true;
  if (answers) answer(TWI_COND_ACK, address, 1);
}

static void end(void) {
  if (wants_more) faults |= UNFINISHED;
  answers = occupied = selected = false;
}

static void take(uint8_t address, uint8_t byte) {
  selected = true;
  if (refuses) return;
  registers_write(addressed, first_byte, byte);
  first_byte = false;
  answer(TWI_COND_ACK, address, 1);
}

static void on_message(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  (void)param;
  avr_twi_msg_irq_t message;
  message.u.v = value;
  const uint8_t what = message.u.twi.msg, address = message.u.twi.addr;
  if (what & TWI_COND_STOP) end();
  if (what & TWI_COND_START) begin(address);
  if (!answers) {
    if (what & (TWI_COND_WRITE | TWI_COND_READ)) faults |= UNCLAIMED;
    return;
  }
  if (what & TWI_COND_WRITE) take(address, message.u.twi.data);
  if (what & TWI_COND_READ) {
    wants_more = avr_regbit_get(avr, port->twea);
    answer(TWI_COND_READ, address, registers_read(addressed));
  }
}

void i2c_start(avr_t *processor) {
  avr = processor;
  for (avr_io_t *module = avr->io_port; module != NULL; module = module->next)
    if (strcmp(module->kind, "twi") == 0) port = (avr_twi_t *)module;
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_OUTPUT), on_message, NULL);
}

/* The library would raise the interrupt at the end of an operation. A board that gives a transfer up switches
 * its port off, and frees the bus by pulses of the clock, after which the device sends no more
 * (UM10204, 3.1.16). */
void i2c_before(void) {
  if (wants_more && !avr_regbit_get(avr, port->twen)) answers = wants_more = false;
  if (held) avr_regbit_clear(avr, port->twi.enable);
}

/* What the library has ended goes on. */
void i2c_after(void) {
  if (held) avr_regbit_clear(avr, port->twi.raised);
}

bool i2c_drive(const char *name, double value) {
  bool *const state = strcmp(name, "I2C:HELD") == 0      ? &held
                      : strcmp(name, "I2C:REFUSES") == 0 ? &refuses
                                                         : NULL;
  if (state == NULL || port == NULL) return false;
  *state = value != 0;
  return true;
}

bool i2c_show(const char *name) {
  const bool is_fault = strcmp(name, "I2C:FAULTS") == 0;
  if (!is_fault && strcmp(name, "I2C:OCCUPIED") != 0) return false;
  printf("bus %u\n", is_fault ? faults : occupied);
  return true;
}
