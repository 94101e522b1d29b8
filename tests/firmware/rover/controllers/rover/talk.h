/* The serial line to the station: orders come, reports go. */
#ifndef TALK_H
#define TALK_H

#include <stdbool.h>

void talk_init(int period);
void talk_step(long step, bool blocked);

#endif
