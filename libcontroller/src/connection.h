/* The connection between a controller and its simulator: a local or TCP socket with memory beside it, or
 * function calls. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "bytes.h"
#include "low_latency.h"
#include "shared_memory.h"

#define UNASKED (-1)

/* Pixels that arrived in a separate chunk. */
typedef struct {
  unsigned tag, code;
  unsigned char *pixels;
  size_t size;
} ImageChunk;

/* An answer of the simulator. */
typedef struct {
  int delay; /* result of wb_robot_step, in ms; -1: not the answer to a request, which is still to come */
  Buffer data;
  ImageChunk *images;
  int image_count;
} Packet;

struct Robot;

/* A connection by function calls, to a simulator in this process. */
typedef struct {
  /* Takes a whole request. Returns NULL, or the reason of a failure. */
  const char *(*send)(void *context, const void *data, size_t size);
  /* Waits for an answer as over a local socket, and appends it. Returns NULL, or the reason of a failure. */
  const char *(*receive)(void *context, Buffer *answer);
  void (*end)(void *context);
  void *context;
  /* NULL, or begins a step of a duration in ms by what has changed, and takes its answer if it has ended.
     False, without any effect, if the step needs a request; `problem`: the reason of a failure. */
  bool (*step)(void *context, struct Robot *robot, int duration, const char **problem);
} Calls;

typedef struct {
  Calls calls;         /* all NULL: a socket */
  bool is_answered;    /* the answer to a step by call was taken */
  bool is_interrupted; /* the host has ended a wait, and knows why */
  bool heeds_signals;  /* a wait ends when the program handles SIGINT or SIGTERM */
  int patience;        /* how long a wait may last, in ms; 0: until data arrives */
  int socket;
  SharedMemory *shared; /* NULL: the socket alone is used */
  Spin spin;
  bool tcp; /* answers arrive in chunks */
  Buffer in;
  size_t start; /* offset of the unused bytes of `in` */
} Connection;

/* Send all bytes. Returns NULL, or the reason of a failure. */
const char *connection_send(Connection *connection, const void *data, size_t size);

/* Use the socket alone from now on, between an answer and the next request. */
void connection_stop_sharing(Connection *connection);

/* Wait briefly for data, at most `ms`. True if nothing has arrived; errors are left to the next wait. */
bool connection_waits(Connection *connection, int ms);

/* Wait for data; errors are left to the next wait. True if the program has handled SIGINT or SIGTERM before
 * any arrived. A host handles signals itself. */
bool connection_is_left(Connection *connection);

/* Wait for the next answer. Returns NULL, or the reason of a failure. */
const char *connection_receive(Connection *connection, Packet *packet);

void packet_clear(Packet *packet);
void packet_free(Packet *packet);
void connection_free(Connection *connection);

#endif
