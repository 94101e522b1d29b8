/* See presence.h. */
#include "presence.h"

void presence_close(PresenceDevice *device, bool closed) {
  device_cancel(&device->base, closed ? PRESENCE_OPEN : PRESENCE_CLOSE);
  device_command(&device->base, closed ? PRESENCE_CLOSE : PRESENCE_OPEN);
  device->closed = closed;
}
