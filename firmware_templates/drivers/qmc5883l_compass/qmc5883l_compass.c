/* A QMC5883L magnetometer as a compass: the direction of the magnetic field, independent of its strength. */
#include "qmc5883l_compass.h"

#include "field.h"
#include "i2c_registers.h"

#define DATA 0x00 /* x, y, z, low bytes first */
#define STATUS 0x06
#define CONTROL 0x09
#define PERIOD 0x0B
#define IDENTIFICATION 0x0D
#define ITS_NAME 0xFF
#define CONTINUOUS 0x09 /* 100 Hz, 512 measurements each */
#define RECOMMENDED 0x01
#define OVERFLOW 0x02

static bool ready[QMC5883L_COMPASS_COUNT];

static uint8_t control(const FLASH struct qmc5883l_compass *sensor) {
  return (uint8_t)(sensor->range << 4 | CONTINUOUS);
}

static bool set_up(const FLASH struct qmc5883l_compass *sensor) {
  return i2c_holds(sensor->address, IDENTIFICATION, ITS_NAME) &&
         i2c_write(sensor->address, PERIOD, RECOMMENDED) &&
         i2c_write(sensor->address, CONTROL, control(sensor));
}

/* Reads the field in counts. Returns false if the chip does not answer, or has lost its settings after a
 * power loss. */
static bool measure(const FLASH struct qmc5883l_compass *sensor, int16_t *counts, bool *overflow) {
  uint8_t bytes[CONTROL + 1];
  if (!i2c_read(sensor->address, DATA, bytes, sizeof bytes) || bytes[CONTROL] != control(sensor))
    return false;
  for (uint8_t k = 0; k < 3; k++)
    counts[k] = (int16_t)((uint16_t)bytes[DATA + 2 * k + 1] << 8 | bytes[DATA + 2 * k]);
  *overflow = bytes[STATUS] & OVERFLOW;
  return true;
}

bool qmc5883l_compass_north(uint8_t k, real *values) {
  const FLASH struct qmc5883l_compass *sensor = &qmc5883l_compass_table[k];
  int16_t counts[3];
  bool overflow = false;
  if (!ready[k]) /* at the start and after a failure */
    ready[k] = set_up(sensor);
  ready[k] = ready[k] && measure(sensor, counts, &overflow);
  return ready[k] && !overflow &&
         field_direction(counts, sensor->offset, &sensor->axes, &sensor->lookup, values);
}
