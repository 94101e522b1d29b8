/* A robot's car and its driver, each created once per robot. */
#ifndef VEHICLE_H
#define VEHICLE_H

#include "differential.h"
#include "lights.h"
#include "wheel_speeds.h"
#include "wipers.h"

/* A car with two steered front wheels and two or four driven wheels. */
typedef struct Car {
  Parameters parameters;
  Parts parts;
  int period; /* basic time step, in ms */
  Differential differential;
  WheelSpeeds wheels;
  Indicators indicators;
  Light backward_lights, brake_lights;
  double angles[SIDES]; /* commanded angles of the front wheels, in rad */
} Car;

/* Drives a car by its cruising speed, or by throttle and gear (torque). */
typedef struct Driver {
  Car *car;
  WbDeviceTag speaker, wheel, rpm_dial, speed_dial; /* 0: absent */
  Light front_beams, rear_beams, antifog;
  Wipers wipers;
  int mode, gear;
  double angle, cruising, throttle, brake, rpm;
  bool dipped;
} Driver;

/* The current robot's car and driver; end the program with an error message if there are none. */
Car *car_current(void);
Driver *driver_current(void);

/* Connect to the simulator and create the car, unless done. A robot that is not a car ends the program. */
Car *car_begin(void);

/* Set the steering angle of a front wheel, in rad. */
void car_turn(Car *car, int side, double angle);

/* The shares of torque and speed in the current curve. */
Ratios driver_ratios(const Driver *driver);

/* Play the sound of the indicator relay while an indicator blinks. */
void driver_blink(const Driver *driver);

/* Warn once that a function is deprecated and which one replaces it. */
void driver_is_old(const char *function, const char *other);

/* Delete the car and the driver of a robot at its cleanup. */
void vehicle_end(Robot *robot);

#endif
