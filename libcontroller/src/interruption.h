/* Signals that end a wait for the simulator: SIGINT and SIGTERM, if the program handles them itself.

   A wait that a signal has interrupted does not tell which one it was. So while a program blocks, a function
   of this file stands in front of its handlers; it calls them, and makes a file readable. */
#ifndef INTERRUPTION_H
#define INTERRUPTION_H

#include <stdbool.h>

/* A wait begins. Returns a file that is readable after a signal; -1: the program has no handlers of its own.
 */
int interruption_begin(void);

/* The wait has ended. True if a signal came meanwhile. */
bool interruption_end(void);

#endif
