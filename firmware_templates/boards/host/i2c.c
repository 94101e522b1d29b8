/* The board that is a program: devices at its I2C bus are tables of registers, which the bench writes and reads.
   A device takes the number of a register with the first byte that is written; then it counts on. */
#include "i2c.h"

#include <stdint.h>
#include <stdio.h>

#include "board.h"

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

static bool read_name(const char *name, struct place *place) {
  int end = 0;
  place->first = 0;
  place->bytes = 0;
  if (sscanf(name, "I2C:%i%n:%i%n:%i%n", &place->address, &end, &place->first, &end, &place->bytes, &end) == 2)
    place->bytes = 1;
  return end > 0 && name[end] == 0 && place->address >= 0 && place->address < ADDRESSES && place->first >= 0 &&
         place->bytes >= 0 && place->bytes <= 2 && place->first + place->bytes <= REGISTERS;
}

bool i2c_is_name(const char *name) {
  struct place place;
  return read_name(name, &place);
}

void i2c_drive(const char *name, double value) {
  struct place place;
  read_name(name, &place);
  struct device *device = &devices[place.address];
  device->plugged = place.bytes > 0 || value != 0;
  const int32_t number = (int32_t)value;
  for (int k = 0; k < place.bytes; k++)
    device->registers[place.first + k] = (uint8_t)(number >> 8 * (place.bytes - 1 - k));
}

void i2c_show(const char *name) {
  struct place place;
  read_name(name, &place);
  const struct device *device = &devices[place.address];
  int number = device->plugged;
  if (place.bytes == 1)
    number = device->registers[place.first];
  else if (place.bytes == 2)
    number = (int16_t)(device->registers[place.first] << 8 | device->registers[place.first + 1]);
  printf("%s %d\n", place.bytes > 0 ? "register" : "device", number);
}

void board_i2c_start(void) {
}

bool board_i2c(uint8_t address, const uint8_t *out, uint8_t out_size, uint8_t *in, uint8_t in_size) {
  struct device *device = &devices[address % ADDRESSES];
  if (!device->plugged)
    return false;
  for (uint8_t k = 0; k < out_size; k++)
    if (k == 0)
      device->at = out[k];
    else
      device->registers[device->at++] = out[k];
  for (uint8_t k = 0; k < in_size; k++)
    in[k] = device->registers[device->at++];
  return true;
}
