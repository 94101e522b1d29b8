/* The head, what it sees, what the bumper feels, and how the rover turns. */
#ifndef LOOK_H
#define LOOK_H

#include <stdbool.h>

void look_init(int period);
void look_step(long step);
bool look_is_blocked(void);
double look_turn(void);

#endif
