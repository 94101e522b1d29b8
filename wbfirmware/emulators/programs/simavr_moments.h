/* What an AVR board under simavr does to its pins for a moment. Names to be shown: MOMENT:PIN, how often a
 * pin has changed its level within 4 us after it had become an output, and PINS:UNLOCKED, how often a
 * register of pins was written with interrupts enabled, and not by an instruction for single bits.
 * STUCK:SDA:SCL is a part that holds the data line of a bus low until it has seen so many pulses of the clock
 * line, one soon after the other; it shows the longest row of pulses. */
#ifndef SIMAVR_MOMENTS_H
#define SIMAVR_MOMENTS_H

#include <sim_avr.h>
#include <stdbool.h>

void moments_start(avr_t *avr);

/* For the bench's commands; false for other names. */
bool moments_drive(const char *name, double value);
bool moments_show(const char *name);

#endif
