/* Samples of the sensors: when they are due, and which are pending. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the sampling period of a slot in ms; 0 disables it. */
void samples_set_period(uint16_t slot, uint16_t period);

/* Disables all sensors and discards pending samples. */
void samples_reset(void);

/* Advances the controller's time by some ms. */
void samples_advance(uint16_t elapsed);

/* Reads the sensors that are due. Returns false if pending samples of an earlier step were lost. */
bool samples_read(void);

/* Writes as many pending entries as fit; returns the address after them. */
uint8_t *samples_put(uint8_t *to, uint16_t space);

/* True if entries are pending. */
bool samples_are_pending(void);

#endif
