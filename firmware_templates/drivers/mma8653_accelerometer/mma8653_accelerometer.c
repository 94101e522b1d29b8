/* An MMA8653 accelerometer, with 10 bits at 100 Hz. */
#include "mma8653_accelerometer.h"

#include "i2c_registers.h"

#define WHO_AM_I 0x0D
#define ITS_NAME 0x5A
#define RANGE 0x0E
#define CONTROL_1 0x2A
#define STANDBY 0x00 /* in which the range may change */
#define RUNNING 0x19 /* 100 Hz, both bytes of each number, active */
#define DATA 0x01    /* x, y, z, high bytes first, the number in the upper 10 bits */
#define UNUSED_STEPS 64

static bool ready[MMA8653_ACCELEROMETER_COUNT];

static bool set_up(const FLASH struct mma8653_accelerometer *sensor) {
  const uint8_t address = sensor->address;
  return i2c_holds(address, WHO_AM_I, ITS_NAME) && i2c_write(address, CONTROL_1, STANDBY) &&
         i2c_write(address, RANGE, sensor->range) && i2c_write(address, CONTROL_1, RUNNING);
}

/* Reads the acceleration. Returns false if the chip does not answer, or has lost its settings after a power
 * loss. */
static bool measure(const FLASH struct mma8653_accelerometer *sensor, real *values) {
  /* m/s^2 of a step: 1/256, 1/128 and 1/64 of g (data sheet of the MMA8653FC, table 2) */
  static const real steps[] = {REAL(0.0383072265625), REAL(0.076614453125), REAL(0.15322890625)};
  uint8_t bytes[6];
  if (!i2c_holds(sensor->address, CONTROL_1, RUNNING) ||
      !i2c_read(sensor->address, DATA, bytes, sizeof bytes))
    return false;
  for (uint8_t k = 0; k < 3; k++) {
    const int16_t number = (int16_t)((uint16_t)bytes[2 * k] << 8 | bytes[2 * k + 1]);
    values[k] = (real)(number / UNUSED_STEPS) * steps[sensor->range];
  }
  return true;
}

bool mma8653_accelerometer_acceleration(uint8_t k, real *values) {
  const FLASH struct mma8653_accelerometer *sensor = &mma8653_accelerometer_table[k];
  if (!ready[k]) ready[k] = set_up(sensor); /* at the start and after a failure */
  ready[k] = ready[k] && measure(sensor, values);
  if (!ready[k]) return false;
  axes_map(&sensor->axes, values, values);
  axes_look_up(&sensor->lookup, values);
  return true;
}
