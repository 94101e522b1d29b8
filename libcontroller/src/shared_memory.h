/* Packets through memory that the simulator shares with this controller; the layout, the order of writes and
   their reasons are those of hal/protocol/shared_memory.py. */
#ifndef SHARED_MEMORY_H
#define SHARED_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHARED_SUFFIX                                                                  \
  ".shared" /* appended to the path of a robot's socket: the socket that offers memory \
             */
#define SHARED_CAPACITY (16384 - 128) /* maximum size of a packet in memory, in bytes */

typedef struct {
  unsigned char *memory;
  _Atomic uint64_t *in, *out; /* the words of each direction */
  uint64_t written, taken;    /* packets */
  uint64_t sent, received;    /* bytes through the socket */
  unsigned polls;
} SharedMemory;

/* Receive the memory that a simulator offers over its socket. Returns NULL if it offers none: the socket
   alone is used. */
SharedMemory *shared_accept(int socket);

/* Send a packet. Returns false if it must go through the socket; `wake` is set if the simulator must be woken
   through the socket. */
bool shared_write(SharedMemory *shared, const void *packet, size_t size, bool *wake);

bool shared_has_packet(const SharedMemory *shared);

/* Take the packet in memory. Returns its size, or -1 with errno EAGAIN (there is none, or bytes from the
   socket come before it), EPROTO (its size is impossible) or ENOBUFS (it is larger than `room`). */
ptrdiff_t shared_take(SharedMemory *shared, void *place, size_t room);

/* Insert the packet in memory, if any, at its place among `got` bytes from the socket; `place` has room for
   SHARED_CAPACITY more. Returns the number of bytes, or -1 as above. */
ptrdiff_t shared_merge(SharedMemory *shared, unsigned char *place, size_t got);

/* True if the socket, too, should be polled now: it takes a system call. */
bool shared_polls_socket(SharedMemory *shared);

/* Make the simulator use the socket; look for a packet once more before blocking. */
void shared_fall_asleep(SharedMemory *shared);
void shared_wake_up(SharedMemory *shared);

/* Release the memory; the simulator uses the socket from now on. */
void shared_free(SharedMemory *shared);

#endif
