/* The lights of a car: indicators that blink, and lights that follow brakes and gears. A car may lack any. */
#ifndef LIGHTS_H
#define LIGHTS_H

#include "parts.h"

enum { INDICATOR_OFF, INDICATOR_RIGHT, INDICATOR_LEFT };

/* All lights of one purpose: outside, and where there is one at the dashboard, too. */
typedef struct {
  WbDeviceTag leds[2];
} Light;

/* Find the lights with a name; `inside`: that of those at the dashboard, or NULL. */
Light light_find(const Robot *robot, const char *name, const char *inside);
void light_set(const Light *light, bool on);

/* True when the first of them is on. */
bool light_is_on(const Light *light);

typedef struct {
  Light right, left;
  WbDeviceTag lever;
  double period; /* for which they are on, and then off, in s */
  bool ends_itself, hazard;
  int state;
  double angle; /* the farthest since the indicator is on, in rad */
} Indicators;

void indicators_start(Indicators *self, const Robot *robot);

/* True when something blinks. */
bool indicators_blink(const Indicators *self);

/* Switch them, while the car steers by an angle, in rad. */
void indicators_choose(Indicators *self, int state, double angle);

/* End when the car steers back out of the curve. */
void indicators_follow(Indicators *self, double angle);

/* Blink. time: simulated, in s. */
void indicators_update(const Indicators *self, double time);

#endif
