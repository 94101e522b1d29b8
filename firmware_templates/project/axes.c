/* Turns what a sensor with three axes measures into the axes of the robot's device. */
#include "axes.h"

void axes_turn(const FLASH struct axes *axes, const real *measured, real *turned) {
  const real all[3] = {measured[0], measured[1], measured[2]};
  for (uint8_t k = 0; k < 3; k++) {
    const int8_t from = axes->from[k];
    turned[k] = from > 0 ? all[from - 1] : -all[-from - 1];
  }
}

void axes_look_up(const FLASH struct curve *lookup, real *numbers) {
  for (uint8_t k = 0; k < 3; k++)
    numbers[k] = curve_at(lookup, numbers[k]);
}
