/* The windshield wipers of a car that has them: two motors that go between their limits, and the sensor of
   one of them. */
#ifndef WIPERS_H
#define WIPERS_H

#include "parts.h"

enum { WIPERS_DOWN, WIPERS_SLOW, WIPERS_NORMAL, WIPERS_FAST };

typedef struct {
  WbDeviceTag motors[SIDES], sensor;
  int mode;
} Wipers;

/* period: between two samples, in ms. */
void wipers_start(Wipers *self, const Robot *robot, int period);

/* Choose how fast they wipe. Nothing for a car without wipers. */
void wipers_choose(Wipers *self, int mode);

/* Turn round at the ends. time: simulated, in s. */
void wipers_update(const Wipers *self, double time);

#endif
