/* See shared_memory.h. */
#include "shared_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "platform/system.h"

#define HALF ((size_t)1 << 14) /* bytes of one direction; the one to the simulator comes first */
#define DATA (HALF - SHARED_CAPACITY)
#define SOCKET_POLLS 32 /* while a receiver spins, it polls the socket once per this number of polls */

enum { WRITTEN, SIZE, AFTER, TAKEN = 8, ASLEEP }; /* words */

SharedMemory *shared_accept(int socket) {
  unsigned char *memory = system_offered_memory(socket, 2 * HALF);
  if (!memory) return NULL;
  SharedMemory *shared = allocate(sizeof *shared);
  shared->memory = memory;
  shared->out = (_Atomic uint64_t *)(void *)memory;
  shared->in = (_Atomic uint64_t *)(void *)(shared->memory + HALF);
  shared_wake_up(shared);
  return shared;
}

bool shared_write(SharedMemory *shared, const void *packet, size_t size, bool *wake) {
  _Atomic uint64_t *out = shared->out;
  *wake = false;
  if (atomic_load(&out[ASLEEP]) || atomic_load(&out[TAKEN]) != shared->written || size > SHARED_CAPACITY)
    return false;
  memcpy(shared->memory + DATA, packet, size);
  atomic_store_explicit(&out[SIZE], size, memory_order_relaxed);
  atomic_store_explicit(&out[AFTER], shared->sent, memory_order_relaxed);
  atomic_store(&out[WRITTEN], ++shared->written);
  *wake = atomic_load(&out[ASLEEP]) != 0; /* it began to block meanwhile */
  return true;
}

bool shared_has_packet(const SharedMemory *shared) {
  return atomic_load_explicit(&shared->in[WRITTEN], memory_order_acquire) == shared->taken + 1 &&
         atomic_load_explicit(&shared->in[AFTER], memory_order_relaxed) <= shared->received;
}

ptrdiff_t shared_take(SharedMemory *shared, void *place, size_t room) {
  errno = EAGAIN;
  if (!shared_has_packet(shared)) return -1;
  const uint64_t size = atomic_load_explicit(&shared->in[SIZE], memory_order_relaxed);
  errno = size > SHARED_CAPACITY ? EPROTO : ENOBUFS;
  if (size > SHARED_CAPACITY || size > room) return -1;
  memcpy(place, shared->memory + HALF + DATA, size);
  atomic_store_explicit(&shared->in[TAKEN], ++shared->taken, memory_order_release);
  return (ptrdiff_t)size;
}

ptrdiff_t shared_merge(SharedMemory *shared, unsigned char *place, size_t got) {
  const uint64_t before = shared->received;
  shared->received += got;
  if (!shared_has_packet(shared)) return (ptrdiff_t)got;
  const uint64_t after = atomic_load_explicit(&shared->in[AFTER], memory_order_relaxed);
  const size_t cut = after > before ? (size_t)(after - before) : 0;
  unsigned char packet[SHARED_CAPACITY];
  const ptrdiff_t size = shared_take(shared, packet, sizeof packet);
  if (size < 0) return -1;
  memmove(place + cut + size, place + cut, got - cut);
  memcpy(place + cut, packet, (size_t)size);
  return (ptrdiff_t)got + size;
}

bool shared_polls_socket(SharedMemory *shared) { return ++shared->polls % SOCKET_POLLS == 0; }

void shared_fall_asleep(SharedMemory *shared) {
  atomic_store(&shared->in[ASLEEP], 1); /* before the packet is looked for once more */
}

void shared_wake_up(SharedMemory *shared) { atomic_store(&shared->in[ASLEEP], 0); }

void shared_free(SharedMemory *shared) {
  if (!shared) return;
  shared_fall_asleep(shared);
  system_release_memory(shared->memory, 2 * HALF);
  free(shared);
}
