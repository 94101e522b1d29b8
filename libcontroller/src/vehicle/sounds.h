/* The sounds of a car: its engine, with volume and pitch by speed, and the indicator relay. A car with a
   silent engine makes no sounds. */
#ifndef SOUNDS_H
#define SOUNDS_H

#include "parameters.h"
#include "parts.h"

/* The speaker of a car, or 0 if it makes no sounds. */
WbDeviceTag sounds_speaker(const Parameters *parameters, const Robot *robot);

/* Start or stop the sound of the indicator relay. */
void sounds_blink(WbDeviceTag speaker, bool on);

/* Play the sound of the engine. throttle: 0 to 1. */
void sounds_run(WbDeviceTag speaker, const Parameters *parameters, double rpm, double throttle);

/* Play the sound of the engine in speed control.
   average: mean speed of the wheels, in rad/s; lacking: difference to the cruising speed, in km/h. */
void sounds_cruise(WbDeviceTag speaker, const Parameters *parameters, double average, double lacking);

#endif
