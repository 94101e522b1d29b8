/* Named values of a controller, for plots while it runs: in simulation, on a real robot and on a board. */
#ifndef WBRIDGE_TELEMETRY_H
#define WBRIDGE_TELEMETRY_H

#include <stdio.h>

/* Prints the value of a name in a line of its own, ">name:value", which the workbench plots, and so do
 * `wbridge firmware monitor` and other programs (Teleplot). What was printed before must end with a line
 * break.
 *
 * The name has at most 64 characters, none of which is a line break or a colon. */
static inline void telemetry(const char *name, double value) { printf(">%s:%.9g\n", name, value); }

#endif
