/* A QMC5883L magnetometer as a compass. */
#ifndef QMC5883L_COMPASS_H
#define QMC5883L_COMPASS_H

#include <stdbool.h>
#include <stdint.h>

#include "axes.h"
#include "config.h"
#include "curve.h"

struct qmc5883l_compass {
  uint8_t sda, scl; /* set by the board */
  uint8_t address;
  struct axes axes;
  real offset[3];
  uint8_t range;       /* register value */
  struct curve lookup; /* components of the unit vector to values */
};

extern const FLASH struct qmc5883l_compass qmc5883l_compass_table[QMC5883L_COMPASS_COUNT];

void qmc5883l_compass_start(uint8_t k);
bool qmc5883l_compass_north(uint8_t k, real *values);

#endif
