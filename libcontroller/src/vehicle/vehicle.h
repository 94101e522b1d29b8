/* The car of a robot, and its driver: begun once, and kept as long as the robot. */
#ifndef VEHICLE_H
#define VEHICLE_H

#include "differential.h"
#include "lights.h"
#include "wheel_speeds.h"
#include "wipers.h"

/* A car with two steered wheels in front, and two or four driven ones. */
typedef struct Car {
  Parameters parameters;
  Parts parts;
  int period; /* duration of a step, in ms */
  Differential differential;
  WheelSpeeds wheels;
  Indicators indicators;
  Light backward_lights, brake_lights;
  double angles[SIDES]; /* of the steered wheels as commanded, in rad */
} Car;

/* Drives a car, by its speed (cruising) or by throttle and gear (torque). */
typedef struct Driver {
  Car *car;
  WbDeviceTag speaker, wheel, rpm_dial, speed_dial; /* 0: the car has none */
  Light front_beams, rear_beams, antifog;
  Wipers wipers;
  int mode, gear;
  double angle, cruising, throttle, brake, rpm;
  bool dipped;
} Driver;

/* Of the robot of this program; without one the program ends with a message. */
Car *car_current(void);
Driver *driver_current(void);

/* Connect to the simulator and find the car, unless that is done. A robot that is no car ends the program. */
Car *car_begin(void);

/* Steer a front wheel; the angle in rad. */
void car_turn(Car *car, int side, double angle);

/* How torque and speed are shared out in the curve. */
Ratios driver_ratios(const Driver *driver);

/* Let the relay of the indicators click while something blinks. */
void driver_blink(const Driver *driver);

/* Say, once, that a function is the old spelling of another one. */
void driver_is_old(const char *function, const char *other);

/* Forget the car and the driver of a robot that ends. */
void vehicle_end(Robot *robot);

#endif
