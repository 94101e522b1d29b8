/* See presence.h. */
#include "presence.h"

#define CLOSE 2
#define OPEN 3

void presence_close(PresenceDevice *device, bool closed) {
  device_cancel(&device->base, closed ? OPEN : CLOSE);
  device_command(&device->base, closed ? CLOSE : OPEN);
  device->closed = closed;
}
