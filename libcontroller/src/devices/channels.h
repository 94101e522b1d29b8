/* Radio channels, which emitters and receivers check alike. */
#ifndef CHANNELS_H
#define CHANNELS_H

#include "../device.h"

#define UNLIMITED (-1)

typedef struct {
  int32_t *items;
  int count;
} Channels;

void read_channels(Reader *in, Channels *allowed);

/* Tell that a channel cannot be set. */
bool is_bad_channel(const char *function, int channel, const Channels *allowed);

#endif
