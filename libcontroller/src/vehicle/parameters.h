/* The parameters of a car that its model tells in the text customData of the robot. */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include "../names.h"

#define UNKNOWN (-1.0) /* the radius of a wheel when the model does not know it */

enum { COMBUSTION, ELECTRIC, PARALLEL, SPLIT }; /* engines */

/* Lengths in m, torques in N m, speeds of engines in turns in a minute. */
typedef struct {
  double wheelbase, track_front, track_rear;
  double front_wheel_radius, rear_wheel_radius;
  double brake_coefficient; /* torque of a brake at full intensity */
  double wheels_damping;    /* of a rolling wheel, in N m s/rad */
  int engine;
  double max_torque, max_power; /* of the electric engine; the power in W */
  double min_rpm, max_rpm;
  double coefficients[3];     /* torque of the combustion engine: the first + rpm * second + rpm^2 * third */
  double split_ratio;         /* share of the power that a power-split hybrid gives to the generator */
  double split_rpm;           /* at which the combustion engine of a power-split hybrid turns */
  double sound_rpm;           /* at which the sound was recorded */
  double gears, sound_length; /* counts, as the text has them */
  double *gear_ratios;        /* turns of the engine for a turn of the wheels; the first is that of reverse */
  int gear_count;
  char *sound; /* file; "none": the engine is silent */
} Parameters;

/* Read the parameters; false, with what is wrong added to `problems`, when they are none of a car. */
bool parameters_read(Parameters *parameters, const char *text, Texts *problems);

void parameters_end(Parameters *parameters);

#endif
