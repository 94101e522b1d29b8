/* Tables of registers of the devices at an I2C bus. */
#include "registers.h"

#include <stdio.h>

#define ADDRESSES 128
#define REGISTERS 256

static struct device {
  bool plugged;
  uint8_t at;
  uint8_t registers[REGISTERS];
} devices[ADDRESSES];

struct place {
  int address, first, bytes; /* bytes 0: the device itself */
};

bool registers_plugged(uint8_t address) { return devices[address % ADDRESSES].plugged; }

void registers_write(uint8_t address, bool first, uint8_t byte) {
  struct device *device = &devices[address % ADDRESSES];
  if (first)
    device->at = byte;
  else
    device->registers[device->at++] = byte;
}

uint8_t registers_read(uint8_t address) {
  struct device *device = &devices[address % ADDRESSES];
  return device->registers[device->at++];
}

static bool read_name(const char *name, struct place *place) {
  int end = 0;
  place->first = 0;
  place->bytes = 0;
  if (sscanf(name, "I2C:%i%n:%i%n:%i%n", &place->address, &end, &place->first, &end, &place->bytes, &end) ==
      2)
    place->bytes = 1;
  return end > 0 && name[end] == 0 && place->address >= 0 && place->address < ADDRESSES &&
         place->first >= 0 && place->bytes >= 0 && place->bytes <= 2 &&
         place->first + place->bytes <= REGISTERS;
}

bool registers_is_name(const char *name) {
  struct place place;
  return read_name(name, &place);
}

void registers_drive(const char *name, double value) {
  struct place place;
  if (!read_name(name, &place)) return;
  struct device *device = &devices[place.address];
  device->plugged = place.bytes > 0 || value != 0;
  const int32_t number = (int32_t)value;
  for (int k = 0; k < place.bytes; k++)
    device->registers[place.first + k] = (uint8_t)(number >> 8 * (place.bytes - 1 - k));
}

void registers_show(const char *name) {
  struct place place;
  if (!read_name(name, &place)) return;
  const struct device *device = &devices[place.address];
  int number = device->plugged;
  if (place.bytes == 1)
    number = device->registers[place.first];
  else if (place.bytes == 2)
    number = (int16_t)(device->registers[place.first] << 8 | device->registers[place.first + 1]);
  printf("%s %d\n", place.bytes > 0 ? "register" : "device", number);
}
