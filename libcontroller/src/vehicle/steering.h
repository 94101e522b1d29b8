/* Ackermann steering: angles and speed ratios of a car's wheels, which all roll about one center.

   The center lies on the line of the rear axle, at wheelbase / tan(steering angle) from the car's middle
   (Jazar, Vehicle Dynamics, chapter Steering Dynamics). Angles are in rad, positive to the right. */
#ifndef STEERING_H
#define STEERING_H

#include "parts.h"

/* The angles of the front wheels for the angle of a virtual wheel between them. Lengths in m. */
void wheel_angles(double steering, double wheelbase, double track, double angles[SIDES]);

/* The path of the right front wheel relative to the sum of both front wheels; 0.5 straight ahead. */
double front_ratio(double steering, const double angles[SIDES], double wheelbase);

/* The path of the right rear wheel relative to the sum of both rear wheels; 0.5 straight ahead. */
double rear_ratio(double steering, double wheelbase, double track);

/* The rotation of the front wheels relative to the sum of front and rear wheels; 0.5 straight ahead.
   radii: radius of the rear wheels divided by that of the front wheels. */
double center_ratio(double steering, double wheelbase, double radii);

#endif
