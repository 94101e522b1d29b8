/* The trial of firmware that has come over the air: it passes when the board can be reached, otherwise the
 * former firmware comes back. */
#ifndef TRIAL_H
#define TRIAL_H

#include <stdbool.h>
#include <stdint.h>

enum trial { TRIAL_NONE, TRIAL_ON, TRIAL_PASSED, TRIAL_FAILED };

/* Begins; `starts` counts those of this firmware, from 1; 0: it has passed long ago. */
void trial_begin(uint32_t starts, uint32_t now);

/* Returns what has become of it. PASSED and FAILED come once; then there is no trial. `is_reached`: the board
 * is in the network and answers. */
enum trial trial_go_on(bool is_reached, uint32_t now);

#endif
