/* Replacements of rand(), random() and related functions. */
#ifndef RANDOM_H
#define RANDOM_H

void controller_srand(unsigned seed);
int controller_rand(void);
void controller_srandom(unsigned seed);
long controller_random(void);

#endif
