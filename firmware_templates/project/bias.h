/* The bias of a gyro: what it reads at rest. */
#ifndef BIAS_H
#define BIAS_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"

struct bias {
  real low[3], high[3], sum[3]; /* of the readings that are averaged; in the end `sum` is their mean */
  uint16_t count;
  uint32_t begun; /* ms */
  bool is_known;
};

/* Subtracts the bias from three values (rad/s), once it is known: the mean of all readings in some seconds in
 * which the robot stood still. */
void bias_remove(struct bias *bias, real seconds, real *values);

#endif
