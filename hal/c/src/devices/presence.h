/* What devices share that hold something and feel whether it is there. */
#ifndef PRESENCE_H
#define PRESENCE_H

#include "../device.h"

typedef struct {
  Device base;
  int presence;
  bool closed;
} PresenceDevice;

/* Hold or let go. */
void presence_close(PresenceDevice *device, bool closed);

#endif
