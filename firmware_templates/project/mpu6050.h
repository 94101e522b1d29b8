/* MPU-6050, MPU-6500 and MPU-9250: accelerometer and gyro on the I2C bus. */
#ifndef MPU6050_H
#define MPU6050_H

#include <stdbool.h>
#include <stdint.h>

#include "axes.h"
#include "bytes.h"
#include "config.h"
#include "curve.h"

#define MPU6050_GYRO_CONFIG 0x1B
#define MPU6050_ACCEL_CONFIG 0x1C
#define MPU6050_ACCEL 0x3B
#define MPU6050_GYRO 0x43

/* One of the chip's two sensors, as in the tables of both drivers. */
struct mpu6050 {
  uint8_t sda, scl; /* set by the board */
  uint8_t address;
  struct axes axes;
  uint8_t range, bandwidth; /* register values */
  struct curve lookup;      /* SI units to values */
#ifdef MPU6050_GYRO_BIAS
  real bias_time; /* of gyros, in s; 0: no bias is subtracted */
#endif
};

/* Reads three values in the chip's axes, in SI units. `smallest` is the smallest range; each further range
 * doubles it. Sets the chip up first unless it is `ready`. Returns false if the chip does not answer. */
bool mpu6050_measure(const FLASH struct mpu6050 *sensor, uint8_t range_register, uint8_t first_register,
                     real smallest, bool *ready, real *values);

/* Converts them to the device's values. */
void mpu6050_map(const FLASH struct mpu6050 *sensor, real *values);

#endif
