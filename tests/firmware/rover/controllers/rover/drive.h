/* The wheels, with their encoders and the lamp that shows how fast they turn. */
#ifndef DRIVE_H
#define DRIVE_H

#include <stdbool.h>

void drive_init(int period);
void drive_step(long step, bool blocked, double turn);

#endif
