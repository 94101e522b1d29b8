/* Ultrasonic sensors on pins of the host board, in lockstep. */
#ifndef ECHO_H
#define ECHO_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the echo's length in us for a sensor named like ECHO:D7:D8 (trigger, echo); 0: no echo. Returns false
 * if the name is invalid. */
bool echo_set(const char *name, double width);

/* Called at the end of a pulse on a pin. */
void echo_triggered(int pin, uint64_t now);

/* Time of the next edge on an echo pin (us). */
uint64_t echo_next(void);

/* Outputs the edges that are due. */
void echo_serve(uint64_t now);

/* From the bench: the number of a named pin (-1 if there is none), and setting a pin's level from outside. */
int bench_pin(const char *name);
void bench_drive(int pin, double value);

#endif
