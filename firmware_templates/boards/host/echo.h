/* Ultrasonic sensors at the pins of the board that is a program; in lockstep. */
#ifndef ECHO_H
#define ECHO_H

#include <stdbool.h>
#include <stdint.h>

/* Let the sensor that a name tells, as ECHO:D7:D8 (trigger, echo), answer with pulses of some us; 0: with
   none. False: it is no such name. */
bool echo_set(const char *name, double width);

/* A pulse at a pin has ended. */
void echo_triggered(int pin, uint64_t now);

/* When the next echo changes (us). */
uint64_t echo_next(void);

/* Let the echoes change that have to by now. */
void echo_serve(uint64_t now);

/* Of the bench: the number of a pin's name, -1: there is none; and a level from outside. */
int bench_pin(const char *name);
void bench_drive(int pin, double value);

#endif
