/* Of programs on this computer: the clock, the wire, and the test bench's commands. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Time in microseconds: real time, or in lockstep the time granted by `run`. */
uint64_t bench_now(void);

/* The same for what is outside of the board: looking at the clock takes it no time. */
uint64_t bench_time(void);

/* True if time only passes when the bench grants it. */
extern bool bench_lockstep;

/* Executes commands; waits for them for at most `wait` ms, or in lockstep until time is granted. */
void bench_serve(int wait);

/* Calls a function regularly from now on, as the interrupt of a timer does: while time passes. */
void bench_every(uint32_t period, void (*call)(void));

/* Opens the wire ("pty", "tcp" or "tcp:PORT") and prints its address. In lockstep the bench is the wire. */
void wire_open(const char *kind);

/* What board_read_byte(), board_write_byte() and board_disconnect() do (board.h). */
int16_t wire_read(void);
void wire_write(uint8_t byte);
void wire_close(void);

/* The wire's file descriptor; -1 if none. */
int wire_descriptor(void);

/* Passes bytes from the bench to the program, in lockstep. */
void wire_put(const uint8_t *data, size_t size);

/* Prints the bytes that the program sent, in lockstep. */
void wire_print(void);

#endif
