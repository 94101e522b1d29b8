/* Where the wheels of a car point and how fast each turns in a curve: all roll about one center.

   The center lies on the line of the rear axle, at wheelbase / tan(steering angle) beside the car's middle
   (Jazar, Vehicle Dynamics, chapter Steering Dynamics). Angles are in rad, positive to the right. */
#ifndef STEERING_H
#define STEERING_H

#include "parts.h"

/* The angles of the front wheels for that of a wheel in the middle of their axle. Lengths in m. */
void wheel_angles(double steering, double wheelbase, double track, double angles[SIDES]);

/* Path of the right front wheel, as a share of those of both front wheels; 0.5 straight on. */
double front_ratio(double steering, const double angles[SIDES], double wheelbase);

/* Path of the right rear wheel, as a share of those of both rear wheels; 0.5 straight on. */
double rear_ratio(double steering, double wheelbase, double track);

/* Turns of the front wheels, as a share of those of front and rear wheels; 0.5 straight on.
   radii: radius of the rear wheels, divided by that of the front wheels. */
double center_ratio(double steering, double wheelbase, double radii);

#endif
