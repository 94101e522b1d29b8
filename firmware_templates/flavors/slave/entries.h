/* The entries of a request: values and sampling periods. */
#ifndef ENTRIES_H
#define ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

/* Are all entries ones that this robot may be told? */
bool entries_right(const uint8_t *data, uint16_t size);

/* Set the sampling periods among the entries. */
void entries_set_periods(const uint8_t *data, uint16_t size);

/* Set the values among the entries, in their order. */
void entries_set_values(const uint8_t *data, uint16_t size);

/* Copy the entries that have an effect to the end of the stage; false: there is no room for them. */
bool entries_stage(const uint8_t *data, uint16_t size);

/* What is on the stage, and its size. */
const uint8_t *entries_staged(uint16_t *size);

/* Take all from the stage. */
void entries_unstage(void);

#endif
