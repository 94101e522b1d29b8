/* Register tables that emulate devices on an I2C bus. */
#include "registers.h"

#include <stdio.h>

#include "ssd1306_panel.h"

#define ADDRESSES 128
#define REGISTERS 256
#define PAGE 0xFF /* the register of devices with pages that selects one; others do not use it */
#define PAGES 8

static struct device {
  bool connected;
  uint8_t next;
  uint8_t registers[PAGES * REGISTERS];
} devices[ADDRESSES];

struct target {
  int address, first, bytes; /* 0: the device itself */
};

/* The next register, on the selected page. */
static uint8_t *next_register(struct device *device) {
  const uint8_t number = device->next++, page = device->registers[PAGE] % PAGES;
  return &device->registers[number == PAGE ? PAGE : page * REGISTERS + number];
}

bool registers_connected(uint8_t address) {
  return devices[address % ADDRESSES].connected || panel_connected(address);
}

void registers_write(uint8_t address, bool first, uint8_t byte) {
  struct device *device = &devices[address % ADDRESSES];
  if (panel_connected(address))
    panel_write(address, first, byte);
  else if (first)
    device->next = byte;
  else
    *next_register(device) = byte;
}

uint8_t registers_read(uint8_t address) {
  return panel_connected(address) ? panel_read(address) : *next_register(&devices[address % ADDRESSES]);
}

static bool read_name(const char *name, struct target *target) {
  int end = 0;
  target->first = 0;
  target->bytes = 0;
  if (sscanf(name, "I2C:%i%n:%i%n:%i%n", &target->address, &end, &target->first, &end, &target->bytes,
             &end) == 2)
    target->bytes = 1;
  return end > 0 && name[end] == 0 && target->address >= 0 && target->address < ADDRESSES &&
         target->first >= 0 && target->bytes >= 0 && target->bytes <= 2 &&
         target->first + target->bytes <= PAGES * REGISTERS;
}

bool registers_is_name(const char *name) {
  struct target target;
  return panel_is_name(name) || read_name(name, &target);
}

bool registers_drive(const char *name, double value) {
  struct target target;
  if (panel_is_name(name)) return panel_drive(name, value);
  if (!read_name(name, &target)) return false;
  struct device *device = &devices[target.address];
  device->connected = target.bytes > 0 || value != 0;
  const int32_t number = (int32_t)value;
  for (int k = 0; k < target.bytes; k++)
    device->registers[target.first + k] = (uint8_t)(number >> 8 * (target.bytes - 1 - k));
  return true;
}

void registers_show(const char *name) {
  struct target target;
  if (panel_is_name(name)) panel_show(name);
  if (!read_name(name, &target)) return;
  const struct device *device = &devices[target.address];
  int number = device->connected;
  if (target.bytes == 1)
    number = device->registers[target.first];
  else if (target.bytes == 2)
    number = (int16_t)(device->registers[target.first] << 8 | device->registers[target.first + 1]);
  printf("%s %d\n", target.bytes > 0 ? "register" : "device", number);
}
