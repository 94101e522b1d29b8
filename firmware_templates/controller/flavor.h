/* What the flavor of a firmware does for the controller on board. */
#ifndef FLAVOR_H
#define FLAVOR_H

#include <stdbool.h>
#include <stdint.h>

/* Of flavors that keep time: has the controller's first step begun, or has it ended without one? For a bench,
   time begins then: what it takes to set up the robot's parts is no part of a step. */
extern bool flavor_begun;

/* Called once, when the board has started. */
void flavor_start(void);

/* Tell the commands, let time pass (ms), take the sensors' values; what wb_robot_step returns. */
int flavor_step(uint16_t duration);

/* The robot's clock in ms. */
uint32_t flavor_time(void);

/* A sampling period was set. */
void flavor_period(uint8_t period);

/* A character of a text for people. */
void flavor_text(char one);

/* The controller has ended: all that moves stops, and so it stays. */
_Noreturn void flavor_end(void);

#endif
