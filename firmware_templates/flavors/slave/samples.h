/* Samples of the sensors: when they are due, and those that wait to be sent. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

/* Set a sampling period in ms; 0 is off. */
void samples_set_period(uint16_t slot, uint16_t period);

/* Switch all sensors off and forget what waits. */
void samples_forget(void);

/* The controller's time passes. */
void samples_pass(uint16_t elapsed);

/* Read the sensors that are due. False: samples of an earlier step were still waiting, and are lost. */
bool samples_take(void);

/* Write as many waiting entries as have room; return the place behind them. */
uint8_t *samples_put(uint8_t *to, uint16_t room);

/* Are there entries that wait? */
bool samples_wait(void);

#endif
