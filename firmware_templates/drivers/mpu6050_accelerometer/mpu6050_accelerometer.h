/* The accelerometer of an MPU-6050. */
#ifndef MPU6050_ACCELEROMETER_H
#define MPU6050_ACCELEROMETER_H

#include "config.h"
#include "mpu6050.h"

#define mpu6050_accelerometer mpu6050 /* type of the table's entries */

extern const FLASH struct mpu6050_accelerometer mpu6050_accelerometer_table[MPU6050_ACCELEROMETER_COUNT];

void mpu6050_accelerometer_start(uint8_t k);
bool mpu6050_accelerometer_acceleration(uint8_t k, real *values);

#endif
