/* How a simulator in the controller's process takes part in steps: the functions that its stepper offers the
   client, in a capsule with this name. */
#ifndef HOSTED_CALLS_H
#define HOSTED_CALLS_H

#include <stddef.h>

#define HOSTED_CALLS "wbridge.hosted_calls"

typedef struct {
  void *context;
  /* Carries out a request. 1: its step has ended; 0: refused, without any effect; -1: its step has begun, and
     the answer comes later; -2: an exception is set. Other controllers may run meanwhile. */
  int (*step)(void *context, const unsigned char *request, size_t size);
  /* The answer to the last request that was carried out, until the next one. */
  const char *(*answer)(void *context, size_t *size);
} HostedCalls;

#endif
