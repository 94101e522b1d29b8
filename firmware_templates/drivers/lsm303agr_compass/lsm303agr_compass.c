/* The magnetometer of an LSM303AGR as a compass: the direction of the magnetic field, independent of its
 * strength. It measures up to 49 gauss, far more than the Earth's field. */
#include "lsm303agr_compass.h"

#include "field.h"
#include "i2c_registers.h"

#define WHO_AM_I 0x4F
#define ITS_NAME 0x40
#define CONFIG_A 0x60
#define CONTINUOUS 0x8C /* 100 Hz, compensated for the temperature */
#define CONFIG_B 0x61
#define CANCELED 0x02 /* the part's own offset is canceled */
#define CONFIG_C 0x62
#define WHOLE 0x10 /* both bytes of a number are of one measurement */
#define DATA 0x68  /* x, y, z, low bytes first */
#define MANY 0x80  /* the next byte is of the next register */

static bool ready[LSM303AGR_COMPASS_COUNT];

static bool set_up(const FLASH struct lsm303agr_compass *sensor) {
  const uint8_t address = sensor->address;
  return i2c_holds(address, WHO_AM_I, ITS_NAME) && i2c_write(address, CONFIG_C, WHOLE) &&
         i2c_write(address, CONFIG_B, CANCELED) && i2c_write(address, CONFIG_A, CONTINUOUS);
}

/* Reads the field in counts. Returns false if the chip does not answer, or has lost its settings after a
 * power loss. */
static bool measure(const FLASH struct lsm303agr_compass *sensor, int16_t *counts) {
  uint8_t bytes[6];
  if (!i2c_holds(sensor->address, CONFIG_A, CONTINUOUS) ||
      !i2c_read(sensor->address, DATA | MANY, bytes, sizeof bytes))
    return false;
  for (uint8_t k = 0; k < 3; k++) counts[k] = (int16_t)((uint16_t)bytes[2 * k + 1] << 8 | bytes[2 * k]);
  return true;
}

bool lsm303agr_compass_north(uint8_t k, real *values) {
  const FLASH struct lsm303agr_compass *sensor = &lsm303agr_compass_table[k];
  int16_t counts[3];
  if (!ready[k]) ready[k] = set_up(sensor); /* at the start and after a failure */
  ready[k] = ready[k] && measure(sensor, counts);
  return ready[k] && field_direction(counts, sensor->offset, &sensor->axes, &sensor->lookup, values);
}
