/* The accelerometer of an LSM303AGR or a LIS3DH, with 12 bits at 100 Hz. */
#include "lsm303agr_accelerometer.h"

#include "i2c_registers.h"

#define WHO_AM_I 0x0F
#define ITS_NAME 0x33
#define CONTROL_1 0x20
#define RUNNING 0x57 /* 100 Hz, three axes */
#define CONTROL_4 0x23
#define FINE 0x88 /* 12 bits; both bytes of a number are of one measurement */
#define DATA 0x28 /* x, y, z, low bytes first, the number in the upper 12 bits */
#define MANY 0x80 /* the next byte is of the next register */
#define UNUSED_STEPS 16

static bool ready[LSM303AGR_ACCELEROMETER_COUNT];

static bool set_up(const FLASH struct lsm303agr_accelerometer *sensor) {
  const uint8_t address = sensor->address;
  return i2c_holds(address, WHO_AM_I, ITS_NAME) && i2c_write(address, CONTROL_1, RUNNING) &&
         i2c_write(address, CONTROL_4, (uint8_t)(FINE | sensor->range << 4));
}

/* Reads the acceleration. Returns false if the chip does not answer, or has lost its settings after a power
 * loss. */
static bool measure(const FLASH struct lsm303agr_accelerometer *sensor, real *values) {
  /* m/s^2 of a step: 0.98, 1.95, 3.9 and 11.72 thousandths of g (data sheet of the LSM303AGR, table 3) */
  static const real steps[] = {REAL(0.009610517), REAL(0.0191229675), REAL(0.038245935), REAL(0.114933938)};
  uint8_t bytes[6];
  if (!i2c_holds(sensor->address, CONTROL_1, RUNNING) ||
      !i2c_read(sensor->address, DATA | MANY, bytes, sizeof bytes))
    return false;
  for (uint8_t k = 0; k < 3; k++) {
    const int16_t number = (int16_t)((uint16_t)bytes[2 * k + 1] << 8 | bytes[2 * k]);
    values[k] = (real)(number / UNUSED_STEPS) * steps[sensor->range];
  }
  return true;
}

bool lsm303agr_accelerometer_acceleration(uint8_t k, real *values) {
  const FLASH struct lsm303agr_accelerometer *sensor = &lsm303agr_accelerometer_table[k];
  if (!ready[k]) ready[k] = set_up(sensor); /* at the start and after a failure */
  ready[k] = ready[k] && measure(sensor, values);
  if (!ready[k]) return false;
  axes_map(&sensor->axes, values, values);
  axes_look_up(&sensor->lookup, values);
  return true;
}
