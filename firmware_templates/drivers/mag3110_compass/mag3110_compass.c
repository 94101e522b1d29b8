/* A MAG3110 magnetometer as a compass: the direction of the magnetic field, independent of its strength. It
 * measures up to 10 gauss, far more than the Earth's field. */
#include "mag3110_compass.h"

#include "field.h"
#include "i2c_registers.h"

#define DATA 0x01 /* x, y, z, high bytes first */
#define WHO_AM_I 0x07
#define ITS_NAME 0xC4
#define CONTROL_1 0x10
#define STANDBY 0x00 /* in which settings may change */
#define RUNNING 0x01 /* 80 Hz, each an average of 16 measurements, both bytes of each number */
#define CONTROL_2 0x11
#define RESETS 0x80 /* a strong field leaves no trace: the sensor is reset before each measurement */

static bool ready[MAG3110_COMPASS_COUNT];

static bool set_up(const FLASH struct mag3110_compass *sensor) {
  const uint8_t address = sensor->address;
  return i2c_holds(address, WHO_AM_I, ITS_NAME) && i2c_write(address, CONTROL_1, STANDBY) &&
         i2c_write(address, CONTROL_2, RESETS) && i2c_write(address, CONTROL_1, RUNNING);
}

/* Reads the field in counts. Returns false if the chip does not answer, or has lost its settings after a
 * power loss. */
static bool measure(const FLASH struct mag3110_compass *sensor, int16_t *counts) {
  uint8_t bytes[6];
  if (!i2c_holds(sensor->address, CONTROL_1, RUNNING) ||
      !i2c_read(sensor->address, DATA, bytes, sizeof bytes))
    return false;
  for (uint8_t k = 0; k < 3; k++) counts[k] = (int16_t)((uint16_t)bytes[2 * k] << 8 | bytes[2 * k + 1]);
  return true;
}

bool mag3110_compass_north(uint8_t k, real *values) {
  const FLASH struct mag3110_compass *sensor = &mag3110_compass_table[k];
  int16_t counts[3];
  if (!ready[k]) ready[k] = set_up(sensor); /* at the start and after a failure */
  ready[k] = ready[k] && measure(sensor, counts);
  return ready[k] && field_direction(counts, sensor->offset, &sensor->axes, &sensor->lookup, values);
}
