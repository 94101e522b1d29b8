/* The gyro of an MPU-6050. */
#ifndef MPU6050_GYRO_H
#define MPU6050_GYRO_H

#include "config.h"
#include "mpu6050.h"

#define mpu6050_gyro mpu6050 /* type of the table's entries */

extern const FLASH struct mpu6050_gyro mpu6050_gyro_table[MPU6050_GYRO_COUNT];

void mpu6050_gyro_start(uint8_t k);
bool mpu6050_gyro_angular_velocity(uint8_t k, real *values);

#endif
