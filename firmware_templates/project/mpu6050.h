/* The parts MPU-6050, MPU-6500 and MPU-9250 on the I2C bus: accelerometer and gyro in one. */
#ifndef MPU6050_H
#define MPU6050_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"

#define MPU6050_GYRO_CONFIG 0x1B
#define MPU6050_ACCEL_CONFIG 0x1C
#define MPU6050_ACCEL 0x3B
#define MPU6050_GYRO 0x43

/* Wake the part and set it up: how it filters (0 to 6), and the range (0 to 3) in one of its two registers.
   False: no such part answers. */
bool mpu6050_set_up(uint8_t address, uint8_t filter, uint8_t range_register, uint8_t range);

/* Read three numbers, as shares of the range. False: the part does not answer, or has fallen asleep by a loss
   of power, and is to be set up again. */
bool mpu6050_read(uint8_t address, uint8_t first_register, real *shares);

#endif
