/* Parts at the pins of an AVR board under simavr: ultrasonic sensors, load cells, capacitors of line sensors,
 * stepper motors and drivers, H bridges, chains of LEDs. */
#ifndef SIMAVR_PARTS_H
#define SIMAVR_PARTS_H

#include <sim_avr.h>
#include <stdbool.h>

/* Connects the parts to a processor. */
void parts_start(avr_t *avr);

/* Sets what a part measures: ECHO:TRIGGER:ECHO (us), HX711:DATA:CLOCK (counts at a gain of 128), RC:PIN (us).
 * Returns false if the name is invalid. */
bool part_drive(const char *name, double value);

/* True for the name of an HX711 that was set before, of a stepper driver: STEPPER:STEP:DIRECTION, of a
 * stepper motor: COILS:IN1:IN2:IN3:IN4, of an H bridge: BRIDGE:FORWARD:BACKWARD, or of an LED:
 * WS2812:PIN:PLACE. The first call for a driver, a motor, a bridge or a chain begins to decode it. */
bool part_is_shown(const char *name);

/* Prints the pulses of the last reading of an HX711, the steps of a driver, the shortest time (us) for which
 * both inputs of a bridge were low before one rose, or the color of an LED. */
void part_show(const char *name);

#endif
