/* The Arduino API, without its names of pins that the board's own pins.h defines. */
#ifndef CORE_H
#define CORE_H

#include <Arduino.h>

#undef PIN_A0
#undef PIN_A1
#undef PIN_A2
#undef PIN_A3
#undef PIN_A4
#undef PIN_A5
#undef PIN_A6
#undef PIN_A7

#endif
