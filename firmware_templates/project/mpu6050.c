/* The parts MPU-6050, MPU-6500 and MPU-9250 on the I2C bus: accelerometer and gyro in one. */
#include "mpu6050.h"

#include "board.h"

#define CONFIG 0x1A
#define POWER 0x6B
#define WHO_AM_I 0x75
#define AWAKE 0x01 /* clocked by the gyro */
#define FULL REAL(32768.0)

static bool set(uint8_t address, uint8_t its_register, uint8_t value) {
  const uint8_t out[] = {its_register, value};
  return board_i2c(address, out, sizeof out, 0, 0);
}

static bool get(uint8_t address, uint8_t first_register, uint8_t *in, uint8_t size) {
  return board_i2c(address, &first_register, 1, in, size);
}

/* Is it one of the parts whose registers are known here? Clocks, too, live at these addresses. */
static bool is_known(uint8_t name) { return name == 0x68 || name == 0x70 || name == 0x71 || name == 0x73; }

/* Wake the part and set it up: how it filters (0 to 6), and the range (0 to 3) in one of its two registers.
 */
static bool set_up(uint8_t address, uint8_t filter, uint8_t range_register, uint8_t range) {
  uint8_t name;
  return get(address, WHO_AM_I, &name, 1) && is_known(name) && set(address, POWER, AWAKE) &&
         set(address, CONFIG, filter) && set(address, range_register, (uint8_t)(range << 3));
}

/* Read three numbers, as shares of the range. False: the part does not answer, or has fallen asleep by a loss
   of power, and is to be set up again. */
static bool read_shares(uint8_t address, uint8_t first_register, real *shares) {
  uint8_t power, bytes[6];
  if (!get(address, POWER, &power, 1) || power != AWAKE || !get(address, first_register, bytes, sizeof bytes))
    return false;
  for (uint8_t k = 0; k < 3; k++)
    shares[k] = (int16_t)((uint16_t)bytes[2 * k] << 8 | bytes[2 * k + 1]) / FULL;
  return true;
}

bool mpu6050_values(const FLASH struct mpu6050 *sensor, uint8_t range_register, uint8_t first_register,
                    real smallest, bool *ready, real *values) {
  if (!*ready) *ready = set_up(sensor->address, sensor->bandwidth, range_register, sensor->range);
  *ready = *ready && read_shares(sensor->address, first_register, values);
  if (!*ready) return false;
  const real full = smallest * (1u << sensor->range);
  for (uint8_t axis = 0; axis < 3; axis++) values[axis] *= full;
  axes_turn(&sensor->axes, values, values);
  axes_look_up(&sensor->lookup, values);
  return true;
}
