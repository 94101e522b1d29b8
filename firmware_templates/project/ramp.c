/* Velocities that change no faster than an acceleration allows. */
#include "ramp.h"

bool ramp_move(real *velocity, real target, real acceleration, uint16_t elapsed) {
  const real change = target - *velocity, most = acceleration * elapsed / 1000;
  if (change == 0) return false;
  const bool is_free = acceleration == 0;
  *velocity =
      is_free || (change <= most && change >= -most) ? target : *velocity + (change > 0 ? most : -most);
  return is_free || most > 0;
}
