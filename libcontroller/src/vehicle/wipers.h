/* The windshield wipers of a car, if it has any: two motors that move between their limits, and the position
   sensor of one of them. */
#ifndef WIPERS_H
#define WIPERS_H

#include "parts.h"

enum { WIPERS_DOWN, WIPERS_SLOW, WIPERS_NORMAL, WIPERS_FAST };

typedef struct {
  WbDeviceTag motors[SIDES], sensor;
  int mode;
} Wipers;

/* period: sampling period, in ms. */
void wipers_start(Wipers *self, const Robot *robot, int period);

/* Set the wiper mode. No effect on a car without wipers. */
void wipers_choose(Wipers *self, int mode);

/* Reverse the motion at the ends. time: simulated time, in s. */
void wipers_update(const Wipers *self, double time);

#endif
