/* A connection with a controller: plain, or encrypted by TLS. Nothing here waits for the other end. */
#ifndef CHANNEL_H
#define CHANNEL_H

#include "network.h"

/* What TLS knows of a connection. */
struct channel_session;

struct channel {
  WiFiClient client;
  struct channel_session *session;
};

/* Takes a connection that was accepted. */
void channel_open(channel &one, const WiFiClient &client);

/* Reads what is there, at most `size` bytes; returns their number, 0 if there are none, or -1 after the
 * connection's end. */
int channel_read(channel &one, uint8_t *data, size_t size);

/* Sends a message. Returns false if the other end does not read, or is gone: then close the channel. */
bool channel_send(channel &one, const uint8_t *data, size_t size);

void channel_close(channel &one);

#endif
