/* The engine of a car: its speed follows from the wheels and the gear, its torque from the speed.

   Combustion: c0 + c1 * rpm + c2 * rpm^2. Electric: power / angular speed, at most its torque. A parallel
   hybrid adds both; a power-split hybrid adds what its combustion engine, which turns at one speed, does not
   give to the generator. Combustion engines of hybrids stand still below their least speed. */
#ifndef ENGINE_H
#define ENGINE_H

#include "parameters.h"
#include "parts.h"

/* Turns of the engine for a turn of the wheels; 0 in neutral. gear: -1 reverse, 0 neutral, 1 or more. */
double gear_ratio(const Parameters *parameters, int gear);

/* Turns of the engine in a minute, from 0 to the most; 0 in neutral and while no wheel was measured.
   speeds: of the wheels, in rad/s. */
double engine_rpm(const Parameters *parameters, int gear, const double speeds[WHEELS]);

/* What the engine can give at a speed, in N m. */
double engine_torque(const Parameters *parameters, double rpm);

/* A torque, less when wheels accelerate too fast. acceleration: the greatest of the wheels, in rad/s^2. */
double limit_torque(double torque, double acceleration);

/* The mean of the speeds of the wheels. */
double mean_speed(const double speeds[WHEELS]);

#endif
