/* See simavr_moments.h. */
#include "simavr_moments.h"

#include <avr_ioport.h>
#include <sim_time.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "simavr_pins.h"

#define PORTS 12 /* A to L */
#define MOMENT_US 4
#define PULSES_APART_US 200 /* clock pulses of one row */

static avr_t *avr;

static struct port {
  uint8_t outputs, levels;
  avr_cycle_count_t since[8]; /* outputs */
  unsigned moments[8];
} ports[PORTS];
static unsigned unlocked;

/* SBI and CBI cannot be interrupted between reading and writing. */
static void check_lock(void) {
  const unsigned instruction = (unsigned)(avr->flash[avr->pc] | avr->flash[avr->pc + 1] << 8);
  const bool is_single = (instruction & 0xFD00) == 0x9800;
  if (avr->sreg[S_I] && !is_single) unlocked++;
}

static void on_direction(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  struct port *port = param;
  check_lock();
  for (int bit = 0; bit < 8; bit++)
    if (value & ~port->outputs & 1u << bit) port->since[bit] = avr->cycle;
  port->outputs = (uint8_t)value;
}

static void on_level(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  struct port *port = param;
  check_lock();
  const uint8_t changed = (uint8_t)(value ^ port->levels) & port->outputs;
  for (int bit = 0; bit < 8; bit++)
    if (changed >> bit & 1 && avr->cycle - port->since[bit] < avr_usec_to_cycles(avr, MOMENT_US))
      port->moments[bit]++;
  port->levels = (uint8_t)value;
}

static struct {
  const struct pin *data;
  avr_cycle_count_t last;
  int needed, row, longest;
  bool is_high;
} stuck;

static void on_clock(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  (void)param;
  const bool rises = value && !stuck.is_high;
  stuck.is_high = value;
  if (!rises) return;
  const bool goes_on = avr->cycle - stuck.last < avr_usec_to_cycles(avr, PULSES_APART_US);
  stuck.row = goes_on ? stuck.row + 1 : 1;
  stuck.last = avr->cycle;
  if (stuck.row > stuck.longest) stuck.longest = stuck.row;
  if (stuck.row == stuck.needed) pin_drive(stuck.data, 1);
}

void moments_start(avr_t *processor) {
  avr = processor;
  for (int k = 0; k < PORTS; k++) {
    avr_irq_t *const first = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('A' + k), 0);
    if (first == NULL) continue;
    avr_irq_register_notify(first + IOPORT_IRQ_DIRECTION_ALL, on_direction, &ports[k]);
    avr_irq_register_notify(first + IOPORT_IRQ_REG_PORT, on_level, &ports[k]);
  }
}

static bool find_lines(const char *name, const struct pin **data, const struct pin **clock) {
  char first[PIN_NAME], second[PIN_NAME];
  if (sscanf(name, "STUCK:%7[^:]:%7s", first, second) != 2) return false;
  *data = find_pin(first);
  *clock = find_pin(second);
  return *data != NULL && *clock != NULL;
}

bool moments_drive(const char *name, double value) {
  const struct pin *data, *clock;
  if (!find_lines(name, &data, &clock)) return false;
  if (stuck.data == NULL)
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(clock->port), (unsigned)clock->bit),
                            on_clock, NULL);
  stuck.data = data;
  stuck.needed = (int)value;
  stuck.row = stuck.longest = 0;
  pin_drive(data, value == 0);
  return true;
}

bool moments_show(const char *name) {
  const struct pin *data, *clock;
  const struct pin *const pin = strncmp(name, "MOMENT:", 7) == 0 ? find_pin(name + 7) : NULL;
  if (pin != NULL)
    printf("moments %u\n", pin->port == 0 ? 0 : ports[pin->port - 'A'].moments[pin->bit]);
  else if (strcmp(name, "PINS:UNLOCKED") == 0)
    printf("changes %u\n", unlocked);
  else if (find_lines(name, &data, &clock))
    printf("pulses %d\n", stuck.longest);
  else
    return false;
  return true;
}
