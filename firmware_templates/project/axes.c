/* Maps the axes of a three-axis sensor to those of the robot's device. */
#include "axes.h"

void axes_map(const FLASH struct axes *axes, const real *measured, real *mapped) {
  const real copy[3] = {measured[0], measured[1], measured[2]};
  for (uint8_t k = 0; k < 3; k++) {
    const int8_t from = axes->from[k];
    const real value = copy[(from > 0 ? from : -from) - 1];
    mapped[k] = from > 0 ? value : -value;
  }
}

void axes_look_up(const FLASH struct curve *lookup, real *numbers) {
  for (uint8_t k = 0; k < 3; k++) numbers[k] = curve_at(lookup, numbers[k]);
}
