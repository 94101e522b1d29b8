/* Interface between the controller and the flavor of the firmware. */
#ifndef FLAVOR_H
#define FLAVOR_H

#include <stdbool.h>
#include <stdint.h>

/* In flavors with a clock: true once the controller's first step has begun, or the controller has ended
 * without one. A test bench counts time from there, so that setup time is not part of a step. */
extern bool flavor_started;

/* In flavors that keep a schedule (ms): the start of the first step and the end of the last one. Test benches
 * read them by name. */
extern uint32_t flavor_begun, flavor_schedule;

/* Called once after the board has started. */
void flavor_start(void);

/* Called before the controller starts if there was a fault (latch.h): reports it. If the latch is closed,
 * returns only when a person has acknowledged the fault. */
void flavor_fault(void);

/* Sends commands, lets time pass (ms) and reads sensors. Returns the result of wb_robot_step(). */
int flavor_step(uint16_t duration);

/* The controller's time in s. */
double flavor_time(void);

/* Called when a sampling period was set. */
void flavor_period(uint8_t period);

/* Prints a character. */
void flavor_text(char character);

/* Called when the controller has ended: stops the robot for good. */
_Noreturn void flavor_end(void);

#endif
