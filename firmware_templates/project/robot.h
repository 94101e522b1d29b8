/* What the link asks of the robot. robot.c is generated: it knows which driver serves which channel. */
#ifndef ROBOT_H
#define ROBOT_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

/* Start all drivers; nothing moves. */
void robot_start(void);

/* Take a command: the number of a channel, and its value as the link writes it. */
void robot_set(uint16_t channel, const uint8_t *value);

/* Take a sampling period in ms, 0 is off: the number of a slot. */
void robot_set_period(uint16_t slot, uint16_t period);

/* A step of the controller begins; its commands have been taken. */
void robot_step(uint16_t elapsed);

/* Write the value of a sensor as the link writes it, at most ROBOT_VALUE_BYTES (config.h); return its number
   of bytes, 0 when there is none. */
uint8_t robot_read(uint16_t channel, uint8_t *value);

/* Stop all that moves. */
void robot_stop(void);

/* The robot's clock in ms. */
uint32_t robot_time(void);

/* Let the drivers work; called every millisecond or so, with the time that has passed in ms. */
void robot_update(uint16_t elapsed);

/* A watched pin has changed; called by the board inside of an interrupt. */
void robot_pins_changed(void);

#endif
