/* How packets travel between a controller and its simulator: by a socket, locally or over TCP. */
#ifndef CHANNEL_H
#define CHANNEL_H

#include "bytes.h"

#define UNASKED (-1)

/* Pixels that came in a chunk of their own. */
typedef struct {
  unsigned tag, code;
  unsigned char *pixels;
  size_t size;
} ImageChunk;

/* One answer. */
typedef struct {
  int delay; /* what wb_robot_step returns, in ms; -1: nobody asked, the answer is still to come */
  Buffer data;
  ImageChunk *images;
  int image_count;
} Packet;

typedef struct {
  int socket;
  bool tcp; /* answers come in chunks */
  Buffer in;
  size_t start; /* of what was not yet used of `in` */
} Channel;

/* Send all bytes. NULL, or why that was not possible. */
const char *channel_send(Channel *channel, const void *data, size_t size);

/* Wait for the next answer. NULL, or why none comes. */
const char *channel_receive(Channel *channel, Packet *packet);

void packet_clear(Packet *packet);
void packet_free(Packet *packet);
void channel_free(Channel *channel);

#endif
