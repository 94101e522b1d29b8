/* The watchdog of a board with an Arduino core. Cores that resets.cpp does not know have none. */
#ifndef RESETS_H
#define RESETS_H

void watchdog_begin();
void watchdog_feed();

#endif
