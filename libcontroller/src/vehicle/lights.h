/* The lights of a car: blinking indicators, and lights that follow brakes and gears. All are optional. */
#ifndef LIGHTS_H
#define LIGHTS_H

#include "parts.h"

enum { INDICATOR_OFF, INDICATOR_RIGHT, INDICATOR_LEFT };

/* The lights with one purpose: those outside, and the one on the dashboard, if any. */
typedef struct {
  WbDeviceTag leds[2];
} Light;

/* Find the lights with a name; `inside`: name of the one on the dashboard, or NULL. */
Light light_find(const Robot *robot, const char *name, const char *inside);
void light_set(const Light *light, bool on);

/* True if the first light is on. */
bool light_is_on(const Light *light);

typedef struct {
  Light right, left;
  WbDeviceTag lever;
  double period; /* duration of the on phase and of the off phase, in s */
  bool ends_itself, hazard;
  int state;
  double angle; /* maximum steering angle since the indicator is on, in rad */
} Indicators;

void indicators_start(Indicators *self, const Robot *robot);

/* True if any indicator blinks. */
bool indicators_blink(const Indicators *self);

/* Switch the indicators; angle: current steering angle, in rad. */
void indicators_choose(Indicators *self, int state, double angle);

/* Switch the indicators off if the car steers back out of the curve. */
void indicators_follow(Indicators *self, double angle);

/* Switch the lights according to the blinking phase. time: simulated time, in s. */
void indicators_update(const Indicators *self, double time);

#endif
