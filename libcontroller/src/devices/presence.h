/* Base of devices that attach objects and detect their presence. */
#ifndef PRESENCE_H
#define PRESENCE_H

#include "../device.h"

#define PRESENCE_CLOSE 2
#define PRESENCE_OPEN 3
#define PRESENCE_LASTING (1u << ENABLE | 1u << PRESENCE_CLOSE | 1u << PRESENCE_OPEN)

typedef struct {
  Device base;
  int presence;
  bool closed;
} PresenceDevice;

/* Lock or unlock the device. */
void presence_close(PresenceDevice *device, bool closed);

/* Warn once if the presence is read while it is not measured. */
static inline void presence_check(const PresenceDevice *device, const char *function) {
  device_check_on(&device->base, device->base.period > 0, "enable_presence", function);
}

#endif
