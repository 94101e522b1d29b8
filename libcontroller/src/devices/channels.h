/* Checks of the channels of emitters and receivers. */
#ifndef CHANNELS_H
#define CHANNELS_H

#include "../device.h"

#define UNLIMITED (-1)

typedef struct {
  int32_t *items;
  int count;
} Channels;

void read_channels(Reader *in, Channels *allowed);

/* True, after reporting an error, if a channel is not allowed. */
bool is_bad_channel(const char *function, int channel, const Channels *allowed);

#endif
