/* Low-latency receiving from a program that answers within microseconds. The rules and their reasons are
   those of hal/protocol/low_latency.py. */
#ifndef LOW_LATENCY_H
#define LOW_LATENCY_H

#include <stddef.h>
#include <stdint.h>

/* Decides how long each wait spins. */
typedef struct {
  int rest;          /* number of waits that do not spin; -1: all */
  int backoff;       /* `rest` after the last failure, reduced by later successes */
  int64_t waited_ns; /* how long the last wait after a failed spin took */
} Spin;

/* Begin: spin only with two processors, and unless the environment variable WBRIDGE_SPIN is 0. */
void spin_init(Spin *spin);

/* A way to receive. Both functions return like `recv`. */
typedef struct {
  ptrdiff_t (*poll)(void *context, void *place,
                    size_t room); /* at once; errno is EAGAIN while nothing has arrived */
  ptrdiff_t (*block)(void *context, void *place, size_t room);
  void *context;
} Receiver;

/* Receive; spin before blocking. */
ptrdiff_t spin_receive(Spin *spin, const Receiver *receiver, void *place, size_t room);

#endif
