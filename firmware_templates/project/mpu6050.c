/* MPU-6050, MPU-6500 and MPU-9250: accelerometer and gyro on the I2C bus. */
#include "mpu6050.h"

#include "board.h"
#include "i2c_registers.h"

#define CONFIG 0x1A
#define POWER 0x6B
#define WHO_AM_I 0x75
#define AWAKE 0x01 /* clock source: the gyro */
#define FULL_SCALE REAL(32768.0)

/* True for supported chips; real-time clocks use the same addresses. */
static bool is_known(uint8_t name) { return name == 0x68 || name == 0x70 || name == 0x71 || name == 0x73; }

/* Wakes the chip and sets its filter (0 to 6) and the range (0 to 3) in one of its two range registers. */
static bool set_up(uint8_t address, uint8_t filter, uint8_t range_register, uint8_t range) {
  uint8_t name;
  return i2c_read(address, WHO_AM_I, &name, 1) && is_known(name) && i2c_write(address, POWER, AWAKE) &&
         i2c_write(address, CONFIG, filter) && i2c_write(address, range_register, (uint8_t)(range << 3));
}

/* Reads three numbers as fractions of the range. Returns false if the chip does not answer, or is asleep
 * after a power loss and must be set up again. */
static bool read_fractions(uint8_t address, uint8_t first_register, real *fractions) {
  uint8_t bytes[6];
  if (!i2c_holds(address, POWER, AWAKE) || !i2c_read(address, first_register, bytes, sizeof bytes))
    return false;
  for (uint8_t k = 0; k < 3; k++)
    fractions[k] = (int16_t)((uint16_t)bytes[2 * k] << 8 | bytes[2 * k + 1]) / FULL_SCALE;
  return true;
}

bool mpu6050_measure(const FLASH struct mpu6050 *sensor, uint8_t range_register, uint8_t first_register,
                     real smallest, bool *ready, real *values) {
  if (!*ready) *ready = set_up(sensor->address, sensor->bandwidth, range_register, sensor->range);
  *ready = *ready && read_fractions(sensor->address, first_register, values);
  if (!*ready) return false;
  const real full = smallest * (1u << sensor->range);
  for (uint8_t axis = 0; axis < 3; axis++) values[axis] *= full;
  return true;
}

void mpu6050_map(const FLASH struct mpu6050 *sensor, real *values) {
  axes_map(&sensor->axes, values, values);
  axes_look_up(&sensor->lookup, values);
}
