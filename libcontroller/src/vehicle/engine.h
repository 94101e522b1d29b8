/* The engine of a car: its speed follows from the wheels and the gear, its torque from its speed.

   Combustion: c0 + c1 * rpm + c2 * rpm^2. Electric: power / angular speed, up to the maximum torque. A
   parallel hybrid adds both. In a power-split hybrid the combustion engine runs at a constant speed and
   contributes the share that does not drive the generator. Combustion engines of hybrids are off below their
   minimum speed. */
#ifndef ENGINE_H
#define ENGINE_H

#include "parameters.h"
#include "parts.h"

/* The engine speed relative to the wheel speed; 0 in neutral. gear: -1 reverse, 0 neutral, 1 or more. */
double gear_ratio(const Parameters *parameters, int gear);

/* The engine speed, from 0 to its maximum, in 1/min; 0 in neutral and before the first measurement.
   speeds: speeds of the wheels, in rad/s. */
double engine_rpm(const Parameters *parameters, int gear, const double speeds[WHEELS]);

/* The maximum torque of the engine at a speed, in N m. */
double engine_torque(const Parameters *parameters, double rpm);

/* Reduce the torque if wheels accelerate too fast. acceleration: maximum of the wheels, in rad/s^2. */
double limit_torque(double torque, double acceleration);

/* The mean speed of the wheels. */
double mean_speed(const double speeds[WHEELS]);

#endif
