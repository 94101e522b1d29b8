/* The bias of a gyro. */
#include "bias.h"

#include "board.h"

#define MOST \
  REAL(0.35) /* rad/s: 20 degrees per second, the zero-rate output of an MPU-6050 (data sheet, 6.1) */
#define SPREAD REAL(0.05) /* rad/s: a robot whose readings differ by more does not stand still */

/* Extends the range of the readings by one. Returns false if the robot moves. */
static bool is_at_rest(struct bias *bias, const real *values) {
  bool rests = true;
  for (uint8_t axis = 0; axis < 3; axis++) {
    const real value = values[axis];
    if (bias->count == 0) {
      bias->low[axis] = bias->high[axis] = value;
      bias->sum[axis] = 0;
    }
    if (value < bias->low[axis]) bias->low[axis] = value;
    if (value > bias->high[axis]) bias->high[axis] = value;
    rests &= value <= MOST && value >= -MOST && bias->high[axis] - bias->low[axis] <= SPREAD;
  }
  return rests;
}

/* Takes a reading; one that moves begins again. */
static void average(struct bias *bias, real seconds, const real *values) {
  if (!is_at_rest(bias, values) || bias->count == UINT16_MAX) {
    bias->count = 0;
    return;
  }
  if (bias->count == 0) bias->begun = board_millis();
  bias->count++;
  for (uint8_t axis = 0; axis < 3; axis++) bias->sum[axis] += values[axis];
  if ((real)(board_millis() - bias->begun) < 1000 * seconds) return;
  for (uint8_t axis = 0; axis < 3; axis++) bias->sum[axis] /= bias->count;
  bias->is_known = true;
}

void bias_remove(struct bias *bias, real seconds, real *values) {
  if (!bias->is_known) average(bias, seconds, values);
  if (!bias->is_known) return;
  for (uint8_t axis = 0; axis < 3; axis++) values[axis] -= bias->sum[axis];
}
