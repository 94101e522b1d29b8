/* Entries of requests: values and sampling periods. */
#ifndef ENTRIES_H
#define ENTRIES_H

#include <stdbool.h>
#include <stdint.h>

/* True if this robot accepts all entries. */
bool entries_are_valid(const uint8_t *data, uint16_t size);

/* Sets the sampling periods among the entries. */
void entries_set_periods(const uint8_t *data, uint16_t size);

/* Executes the commands among the entries in their order. */
void entries_set_values(const uint8_t *data, uint16_t size);

/* Stages the entries that have an effect, for a request in parts. Returns false if they do not fit. */
bool entries_stage(const uint8_t *data, uint16_t size);

/* The staged entries and their size. */
const uint8_t *entries_staged(uint16_t *size);

/* Discards the staged entries. */
void entries_unstage(void);

#endif
