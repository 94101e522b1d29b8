/* The parameters of a car, which its model stores in the robot's field customData. */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include "../names.h"

#define UNKNOWN (-1.0) /* wheel radius if the model does not define it */

enum { COMBUSTION, ELECTRIC, PARALLEL, SPLIT }; /* engines */

/* Lengths in m, torques in N m, engine speeds in 1/min. */
typedef struct {
  double wheelbase, track_front, track_rear;
  double front_wheel_radius, rear_wheel_radius;
  double brake_coefficient; /* torque of each brake at full intensity */
  double wheels_damping;    /* of a rolling wheel, in N m s/rad */
  int engine;
  double max_torque, max_power; /* of the electric engine; the power in W */
  double min_rpm, max_rpm;
  double coefficients[3];     /* combustion torque: c0 + c1 * rpm + c2 * rpm^2 */
  double split_ratio;         /* share of the power that drives a power-split hybrid's generator */
  double split_rpm;           /* speed of a power-split hybrid's combustion engine */
  double sound_rpm;           /* engine speed at which the sound was recorded */
  double gears, sound_length; /* counts from the text */
  double *gear_ratios;        /* engine speed relative to the wheel speed; the first is reverse */
  int gear_count;
  char *sound; /* sound file; "none" for a silent engine */
} Parameters;

/* Parse the parameters; false, with errors appended to `problems`, if they are invalid. */
bool parameters_read(Parameters *parameters, const char *text, Texts *problems);

void parameters_end(Parameters *parameters);

#endif
