/* The watchdog of AVRs. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

/* Starts it with 0.5 s, and notes why the processor was reset. */
void watchdog_start(void);

/* Resets the processor, because the program has started again without a reset. */
void watchdog_restarted(void);

#endif
