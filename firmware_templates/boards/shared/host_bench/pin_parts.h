/* Load cells, line sensors, stepper motors, their drivers, H bridges and chains of LEDs on pins of the host
 * board, in lockstep. */
#ifndef PIN_PARTS_H
#define PIN_PARTS_H

#include <stdbool.h>
#include <stdint.h>

/* Sets what a part measures: HX711:DATA:CLOCK (counts at a gain of 128) or RC:PIN (us). Returns false if the
 * name is invalid. */
bool parts_set(const char *name, double value);

/* True for the name of an HX711 that was set before, of a stepper driver: STEPPER:STEP:DIRECTION, of a
 * stepper motor: COILS:IN1:IN2:IN3:IN4, of an H bridge: BRIDGE:FORWARD:BACKWARD, or of an LED:
 * WS2812:PIN:PLACE. Steps and gaps count from the first call on. */
bool parts_is_shown(const char *name);

/* Prints the clock pulses of the last reading of an HX711, the steps of a driver, the shortest time (us) for
 * which both inputs of a bridge were low before one rose, or the color of an LED. */
void parts_show(const char *name);

/* Called when an output pin changes its level. */
void parts_output(int pin, bool level);

/* Called when a pin becomes an input after it was a high output. */
void parts_released(int pin, uint64_t now);

/* Called when an LED is sent to a chain: green, red, blue. */
void parts_pixel(int pin, const uint8_t *bytes, uint64_t now);

/* Time of the next event (us). */
uint64_t parts_next(void);

/* Executes the events that are due. */
void parts_serve(uint64_t now);

#endif
