/* The robot as the link controls it. robot.c is generated and connects channels to drivers. */
#ifndef ROBOT_H
#define ROBOT_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

/* Starts all drivers; nothing moves. */
void robot_start(void);

/* Executes a command: a channel number and a value as the link encodes it. */
void robot_set(uint16_t channel, const uint8_t *value);

/* Sets the sampling period of a slot in ms; 0 disables it. */
void robot_set_period(uint16_t slot, uint16_t period);

/* Called at each step of the controller, after its commands. */
void robot_step(uint16_t elapsed);

/* Writes a sensor value as the link encodes it, at most ROBOT_VALUE_BYTES (config.h). Returns its size in
 * bytes, 0 if there is no value. */
uint8_t robot_read(uint16_t channel, uint8_t *value);

/* True while a distance sensor that is sampled gives no value: then the motors shall not move. */
bool robot_is_blind(void);

/* Stops all motors, which forget their commands; receivers drop their packets. */
void robot_stop(void);

/* The robot's clock in ms. */
uint32_t robot_time(void);

/* Updates the drivers; called about every millisecond with the time since the last call in ms. */
void robot_update(uint16_t elapsed);

/* Called by the board in a timer's interrupt, BOARD_TICKS (config.h) times per second, if drivers need it. */
void robot_tick(void);

/* Called by the board in an interrupt when a watched pin has changed. */
void robot_pins_changed(void);

#endif
