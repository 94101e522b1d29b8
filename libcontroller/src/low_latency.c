/* See low_latency.h. */
#include "low_latency.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "platform/system.h"

#define SPIN_NS 100000               /* longest spin of one wait */
#define MOST_REST 63                 /* maximum number of waits between two spins that failed */
#define PERIOD_NS ((int64_t)1 << 28) /* of the windows in which waits spin until the window's end */
#define WINDOW_NS ((int64_t)1 << 21)
#define LONGEST_NS WINDOW_NS /* programs with longer waits do not use the windows */

void spin_init(Spin *spin) {
  const char *wanted = getenv("WBRIDGE_SPIN");
  const bool may_spin = system_processors() > 1 && !(wanted && !strcmp(wanted, "0"));
  *spin = (Spin){.rest = may_spin ? 0 : -1};
}

/* The time until which this wait spins; 0: it blocks at once. */
static int64_t end_of(Spin *spin) {
  if (spin->rest < 0) return 0;
  const int64_t now = system_now_ns(), phase = now & (PERIOD_NS - 1);
  if (phase < WINDOW_NS && spin->backoff && spin->waited_ns < LONGEST_NS)
    return now + (WINDOW_NS - phase > SPIN_NS ? WINDOW_NS - phase : SPIN_NS);
  if (spin->rest) {
    --spin->rest;
    return 0;
  }
  return now + SPIN_NS;
}

static void succeeded(Spin *spin) {
  spin->rest = 0;
  if (spin->backoff) --spin->backoff;
}

static void failed(Spin *spin) {
  const int next = 2 * spin->backoff + 1;
  spin->rest = spin->backoff = next < MOST_REST ? next : MOST_REST;
}

ptrdiff_t spin_receive(Spin *spin, const Receiver *receiver, void *place, size_t room) {
  const int64_t end = end_of(spin);
  if (!end) return receiver->block(receiver->context, place, room);
  do {
    const ptrdiff_t got = receiver->poll(receiver->context, place, room);
    if (got >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) {
      succeeded(spin);
      return got;
    }
  } while (system_now_ns() <= end);
  failed(spin);
  const ptrdiff_t got = receiver->block(receiver->context, place, room);
  spin->waited_ns = system_now_ns() - end;
  return got;
}
