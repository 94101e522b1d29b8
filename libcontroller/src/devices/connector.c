/* A connector, which docks to another connector. */
#include <webots/connector.h>

#include "presence.h"

#define PRESENCE 1

static bool take(Device *device, unsigned code, Reader *in) {
  PresenceDevice *self = (PresenceDevice *)device;
  if (code == CONSTANTS)
    self->closed = read_bool(in);
  else if (code == PRESENCE)
    self->presence = read_i16(in);
  else
    return false;
  return true;
}

const Kind connector_kind = {
    .class_name = "Connector", .size = sizeof(PresenceDevice), .take = take, .lasting = PRESENCE_LASTING};

void wb_connector_enable_presence(WbDeviceTag tag, int sampling_period) {
  Device *device = device_find(tag, &connector_kind, __func__);
  if (device) device_enable(device, sampling_period, __func__);
}

void wb_connector_disable_presence(WbDeviceTag tag) {
  Device *device = device_find(tag, &connector_kind, __func__);
  if (device) device_enable(device, 0, __func__);
}

int wb_connector_get_presence_sampling_period(WbDeviceTag tag) {
  const Device *device = device_find(tag, &connector_kind, __func__);
  return device ? device->period : 0;
}

int wb_connector_get_presence(WbDeviceTag tag) {
  const PresenceDevice *self = device_find(tag, &connector_kind, __func__);
  if (self) presence_check(self, __func__);
  return self ? self->presence : 0;
}

bool wb_connector_is_locked(WbDeviceTag tag) {
  const PresenceDevice *self = device_find(tag, &connector_kind, __func__);
  return self ? self->closed : false;
}

void wb_connector_lock(WbDeviceTag tag) {
  PresenceDevice *self = device_find(tag, &connector_kind, __func__);
  if (self) presence_close(self, true);
}

void wb_connector_unlock(WbDeviceTag tag) {
  PresenceDevice *self = device_find(tag, &connector_kind, __func__);
  if (self) presence_close(self, false);
}
