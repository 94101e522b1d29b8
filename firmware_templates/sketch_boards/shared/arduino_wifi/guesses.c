/* Guesses of the token, by address. */
#include "guesses.h"

#include <stddef.h>

#define GUESS_MS 100u /* between two wrong tokens of an address */
#define STRANGERS 8
#define KNOWN 4

struct guesser {
  uint32_t address, at; /* ms: of its last guess */
  bool is_taken, is_wrong;
};

static struct guesser strangers[STRANGERS], known[KNOWN];

static struct guesser *find(struct guesser *table, size_t size, uint32_t address) {
  for (size_t k = 0; k < size; k++)
    if (table[k].is_taken && table[k].address == address) return &table[k];
  return NULL;
}

/* A free place, or that of the address that has not guessed for the longest time. */
static struct guesser *place(struct guesser *table, size_t size, uint32_t now) {
  struct guesser *oldest = table;
  for (size_t k = 0; k < size; k++) {
    if (!table[k].is_taken) return &table[k];
    if (now - table[k].at > now - oldest->at) oldest = &table[k];
  }
  return oldest;
}

static bool is_calm(const struct guesser *one, uint32_t now) {
  return !one->is_taken || !one->is_wrong || now - one->at >= GUESS_MS;
}

bool guess_is_allowed(uint32_t address, uint32_t now) {
  const struct guesser *one = find(known, KNOWN, address);
  if (one == NULL) one = find(strangers, STRANGERS, address);
  return is_calm(one != NULL ? one : place(strangers, STRANGERS, now), now);
}

void guess_was(bool is_right, uint32_t address, uint32_t now) {
  struct guesser *stranger = find(strangers, STRANGERS, address), *one = find(known, KNOWN, address);
  if (is_right && stranger != NULL) stranger->is_taken = false;
  if (one == NULL) {
    if (is_right)
      one = place(known, KNOWN, now);
    else
      one = stranger != NULL ? stranger : place(strangers, STRANGERS, now);
  }
  *one = (struct guesser){address, now, true, !is_right};
}
