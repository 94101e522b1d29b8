/* The AK8963 magnetometer of an MPU-9250 as a compass: the direction of the magnetic field, independent of
 * its strength. The MPU-9250 connects it to the bus. */
#include "ak8963_compass.h"

#include "field.h"
#include "i2c_registers.h"

#define HOST_POWER 0x6B
#define HOST_AWAKE 0x01 /* as the drivers of its other sensors set it */
#define HOST_PINS 0x37
#define HOST_BYPASS 0x02 /* the magnetometer is at the bus */

#define IDENTIFICATION 0x00
#define ITS_NAME 0x48
#define DATA \
  0x02 /* status, then x, y, z, low bytes first, and the second status, whose reading ends a measurement */
#define CONTROL 0x0A
#define CONTINUOUS 0x16 /* 100 Hz, 16 bits */
#define OVERFLOW 0x08
#define SECOND_STATUS (0x09 - DATA)
#define SIZE (CONTROL - DATA + 1)

static bool ready[AK8963_COMPASS_COUNT];

static bool set_up(const FLASH struct ak8963_compass *sensor) {
  return i2c_write(sensor->host, HOST_POWER, HOST_AWAKE) && i2c_write(sensor->host, HOST_PINS, HOST_BYPASS) &&
         i2c_holds(sensor->address, IDENTIFICATION, ITS_NAME) &&
         i2c_write(sensor->address, CONTROL, CONTINUOUS);
}

/* Reads the field in counts. Returns false if the chip does not answer, or has lost its settings after a
 * power loss. */
static bool measure(const FLASH struct ak8963_compass *sensor, int16_t *counts, bool *overflow) {
  uint8_t bytes[SIZE];
  if (!i2c_read(sensor->address, DATA, bytes, sizeof bytes) || bytes[CONTROL - DATA] != CONTINUOUS)
    return false;
  for (uint8_t k = 0; k < 3; k++) counts[k] = (int16_t)((uint16_t)bytes[2 * k + 2] << 8 | bytes[2 * k + 1]);
  *overflow = bytes[SECOND_STATUS] & OVERFLOW;
  return true;
}

bool ak8963_compass_north(uint8_t k, real *values) {
  const FLASH struct ak8963_compass *sensor = &ak8963_compass_table[k];
  int16_t counts[3];
  bool overflow = false;
  if (!ready[k]) /* at the start and after a failure */
    ready[k] = set_up(sensor);
  ready[k] = ready[k] && measure(sensor, counts, &overflow);
  return ready[k] && !overflow &&
         field_direction(counts, sensor->offset, &sensor->axes, &sensor->lookup, values);
}
