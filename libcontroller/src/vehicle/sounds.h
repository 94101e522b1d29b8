/* What a car is heard: its engine, louder and higher with its speed, and the relay of its indicators. A car
   whose engine is silent makes no sounds at all. */
#ifndef SOUNDS_H
#define SOUNDS_H

#include "parameters.h"
#include "parts.h"

/* The speaker of a car that makes sounds; 0: it makes none. */
WbDeviceTag sounds_speaker(const Parameters *parameters, const Robot *robot);

/* Let the relay of the indicators click, or not. */
void sounds_blink(WbDeviceTag speaker, bool on);

/* Let the engine be heard. throttle: 0 to 1. */
void sounds_run(WbDeviceTag speaker, const Parameters *parameters, double rpm, double throttle);

/* Let the engine be heard when only the speed of the car is commanded.
   average: speed of the wheels, in rad/s; lacking: what is still missing to the cruising speed, in km/h. */
void sounds_cruise(WbDeviceTag speaker, const Parameters *parameters, double average, double lacking);

#endif
