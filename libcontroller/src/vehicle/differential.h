/* How the torque of the engine, or the speed, is shared out among the driven wheels of a car.

   Shares follow the curve (see steering.h). A limited-slip differential also takes torque from a wheel that
   turns faster than its partner: its slip, from -1 to 1, adds up the differences of the steps. */
#ifndef DIFFERENTIAL_H
#define DIFFERENTIAL_H

#include "parameters.h"
#include "steering.h"

typedef struct {
  bool limited;               /* torque is taken from wheels that slip */
  double front, rear, center; /* slips */
} Differential;

/* Shares of the right wheels in front and behind, and of the front wheels; each from 0 to 1. */
typedef struct {
  double front, rear, center;
} Ratios;

/* The shares in a curve, by the angle of the car and those of its front wheels. */
Ratios differential_ratios(const Parameters *parameters, double angle, const double angles[SIDES]);

/* Take the speeds of the wheels after a step, in rad/s. */
void differential_update(Differential *self, int driven, const double speeds[WHEELS]);

/* The torque of each wheel, in N m, for one of the engine behind the gears; wheels that are not driven keep
   theirs. */
void differential_torques(const Differential *self, int driven, double torque, Ratios ratios,
                          double torques[WHEELS]);

/* How fast each driven wheel shall roll, in the unit of the speed of the car. */
void differential_speeds(int driven, double speed, Ratios ratios, double speeds[WHEELS]);

#endif
