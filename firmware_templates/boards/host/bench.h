/* What the files of this board share: the clock, the pins, and the words by which others reach them. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Time in microseconds: the computer's, or in lockstep the one that `run` lets pass. */
uint64_t bench_now(void);

/* Is time passing only on demand? */
extern bool bench_lockstep;

/* Do what standard input says; wait for it for at most `wait` ms. In lockstep: until time may pass. */
void bench_serve(int wait);

/* Open the wire: "pty", "tcp" or "tcp:PORT"; print where it is. In lockstep the wire is the bench itself. */
void wire_open(const char *kind);

/* The file descriptor to wait for; -1: none. */
int wire_descriptor(void);

/* Bytes from the bench, in lockstep. */
void wire_put(const uint8_t *data, size_t size);

/* Print the bytes that were sent, in lockstep. */
void wire_tell(void);

#endif
