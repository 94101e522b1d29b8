/* Velocities that change no faster than an acceleration allows. */
#ifndef RAMP_H
#define RAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"

/* Moves a velocity toward a target for some ms; an acceleration of 0 is none: it is there at once. Returns
 * true if the velocity has changed. */
bool ramp_move(real *velocity, real target, real acceleration, uint16_t elapsed);

#endif
