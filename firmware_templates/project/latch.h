/* The fault latch: after a fault the motors stay off until the controller or a person acknowledges it. */
#ifndef LATCH_H
#define LATCH_H

#include <stdbool.h>
#include <stdint.h>

/* Looks at the cause of the last reset, after board_start().
 *   outlives_resets: an older fault that nobody has acknowledged keeps the motors off, too, because opening
 *     the wire resets some boards; otherwise pressing reset acknowledges it. */
void latch_start(bool outlives_resets);

/* The fault (enum reset_cause) that was the last one; CAUSE_NONE if there was none since it was acknowledged.
 */
uint8_t latch_cause(void);

/* True as long as the motors stay off. */
bool latch_is_closed(void);

/* Acknowledges the fault: the motors may move, and the cause is forgotten. */
void latch_open(void);

#endif
