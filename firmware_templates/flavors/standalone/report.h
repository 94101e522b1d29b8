/* Reports commands and readings of each step as a line of text, for `wbridge firmware monitor`. */
#ifndef REPORT_H
#define REPORT_H

#include <stdint.h>

#include "config.h"

#ifdef REPORT_DEVICES
/* Marks a command that was sent or a reading that was taken, and a sampling period that was set. */
void report_channel(uint8_t index);
void report_period(uint8_t period);

/* Prints the readings of the last step, and what this one begins with: its duration (ms), periods, commands.
 */
void report_step(uint32_t duration);
#else
static inline void report_channel(uint8_t index) { (void)index; }
static inline void report_period(uint8_t period) { (void)period; }
static inline void report_step(uint32_t duration) { (void)duration; }
#endif

#endif
