/* The differential: distributes the engine's torque, or the speed, to the driven wheels of a car.

   The shares depend on the curve (see steering.h). A limited-slip differential also reduces the torque of a
   wheel that turns faster than its partner: the slip, from -1 to 1, sums up the differences over the steps.
 */
#ifndef DIFFERENTIAL_H
#define DIFFERENTIAL_H

#include "parameters.h"
#include "steering.h"

typedef struct {
  bool limited;               /* limited-slip differential enabled */
  double front, rear, center; /* slips */
} Differential;

/* Shares of the right front wheel, of the right rear wheel, and of the front axle; each from 0 to 1. */
typedef struct {
  double front, rear, center;
} Ratios;

/* The shares in a curve, from the angles of the car and of its front wheels. */
Ratios differential_ratios(const Parameters *parameters, double angle, const double angles[SIDES]);

/* Update the slips from the speeds of the wheels after a step, in rad/s. */
void differential_update(Differential *self, int driven, const double speeds[WHEELS]);

/* The torque of each driven wheel, in N m, for a torque at the gearbox's output; others stay unchanged. */
void differential_torques(const Differential *self, int driven, double torque, Ratios ratios,
                          double torques[WHEELS]);

/* The speed of each driven wheel, in the unit of the car's speed. */
void differential_speeds(int driven, double speed, Ratios ratios, double speeds[WHEELS]);

#endif
