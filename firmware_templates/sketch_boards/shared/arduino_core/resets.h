/* The watchdog of a board with an Arduino core. Cores that resets.cpp does not know have none. */
#ifndef RESETS_H
#define RESETS_H

void watchdog_begin();
void watchdog_feed();

/* While it is on, the board has 8 s instead of half a second: for calls that wait for the network, with the
 * motors stopped. */
void watchdog_wait(bool on);

#endif
