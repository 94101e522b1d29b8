/* An RC servo at a PCA9685. */
#ifndef PCA9685_SERVO_H
#define PCA9685_SERVO_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"

struct pca9685_servo {
  uint8_t sda, scl; /* set by the board */
  uint8_t address, channel;
  real low, high;
  uint16_t low_pulse, high_pulse; /* us */
  real max_velocity;
};

extern const FLASH struct pca9685_servo pca9685_servo_table[PCA9685_SERVO_COUNT];

void pca9685_servo_start(uint8_t k);
void pca9685_servo_position(uint8_t k, real position);
void pca9685_servo_velocity(uint8_t k, real velocity);
void pca9685_servo_stop(uint8_t k);
void pca9685_servo_update(uint8_t k, uint16_t elapsed);

#endif
