/* How a simulator in the controller's process takes part in steps: the functions that its stepper offers the
   client, in a capsule with this name. Both sides exchange what has changed, as numbers. */
#ifndef HOSTED_CALLS_H
#define HOSTED_CALLS_H

#include <stddef.h>
#include <stdint.h>

#define HOSTED_CALLS "wbridge.hosted_calls"
#define HOSTED_TAG_BITS 16

/* A command with one number. Its key has the device's tag above HOSTED_TAG_BITS bits with the code. */
typedef struct {
  int64_t key;
  double number;
} HostedChange;

/* The newest numbers of a sensor: those of the message with a code. */
typedef struct {
  unsigned tag, code;
  const double *numbers;
  size_t count;
} HostedSample;

/* What a step has brought; the time is in s. */
typedef struct {
  double time;
  const HostedSample *samples;
  size_t count;
} HostedAnswer;

typedef struct {
  void *context;
  /* Makes a step of a duration in ms with changes in the order of their keys. 1: it has ended; 0: refused,
     without any effect; -1: it has begun, and ends later; -2: an exception is set. Other controllers may run
     meanwhile. */
  int (*step)(void *context, int duration, const HostedChange *changes, size_t count);
  /* The answer to the last step, until the next one. */
  const HostedAnswer *(*answer)(void *context);
} HostedCalls;

#endif
