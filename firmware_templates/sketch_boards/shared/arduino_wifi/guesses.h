/* How often the token may be guessed: ten times per second from each address, and 80 times from all. */
#ifndef GUESSES_H
#define GUESSES_H

#include <stdbool.h>
#include <stdint.h>

/* Returns true if an address may try a token now. Guesses of others never hinder an address that has sent the
 * right one before: four of these are remembered. */
bool guess_is_allowed(uint32_t address, uint32_t now);

/* Notes what came of a guess at a time in ms. */
void guess_was(bool is_right, uint32_t address, uint32_t now);

#endif
