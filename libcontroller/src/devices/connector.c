/* A connector, which docks to another connector. */
#include <webots/connector.h>

#include "../device.h"
#include "../generated/connector_codec.h"

typedef struct {
  Device base;
  CONNECTOR_MEMBERS;
} Connector;

void wb_connector_lock(WbDeviceTag tag) {
  Connector *self = device_find(tag, &connector_kind, __func__);
  if (!self) return;
  device_replace(&self->base, CONNECTOR_UNLOCK, CONNECTOR_LOCK);
  self->locked = true;
}

void wb_connector_unlock(WbDeviceTag tag) {
  Connector *self = device_find(tag, &connector_kind, __func__);
  if (!self) return;
  device_replace(&self->base, CONNECTOR_LOCK, CONNECTOR_UNLOCK);
  self->locked = false;
}

#include "../generated/connector.h"
