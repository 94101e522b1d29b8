/* A vacuum gripper, which attaches solids by suction. */
#include <webots/vacuum_gripper.h>

#include "presence.h"

#define PRESENCE 1

static bool take(Device *device, unsigned code, Reader *in) {
  PresenceDevice *self = (PresenceDevice *)device;
  if (code == CONSTANTS)
    self->closed = read_bool(in);
  else if (code == PRESENCE)
    self->presence = read_bool(in);
  else
    return false;
  return true;
}

const Kind vacuum_gripper_kind = {
    .class_name = "VacuumGripper", .size = sizeof(PresenceDevice), .take = take, .lasting = PRESENCE_LASTING};

void wb_vacuum_gripper_enable_presence(WbDeviceTag tag, int sampling_period) {
  Device *device = device_find(tag, &vacuum_gripper_kind, __func__);
  if (device) device_enable(device, sampling_period, __func__);
}

void wb_vacuum_gripper_disable_presence(WbDeviceTag tag) {
  Device *device = device_find(tag, &vacuum_gripper_kind, __func__);
  if (device) device_enable(device, 0, __func__);
}

int wb_vacuum_gripper_get_presence_sampling_period(WbDeviceTag tag) {
  const Device *device = device_find(tag, &vacuum_gripper_kind, __func__);
  return device ? device->period : 0;
}

bool wb_vacuum_gripper_get_presence(WbDeviceTag tag) {
  const PresenceDevice *self = device_find(tag, &vacuum_gripper_kind, __func__);
  if (self) presence_check(self, __func__);
  return self ? self->presence : false;
}

bool wb_vacuum_gripper_is_on(WbDeviceTag tag) {
  const PresenceDevice *self = device_find(tag, &vacuum_gripper_kind, __func__);
  return self ? self->closed : false;
}

void wb_vacuum_gripper_turn_on(WbDeviceTag tag) {
  PresenceDevice *self = device_find(tag, &vacuum_gripper_kind, __func__);
  if (self) presence_close(self, true);
}

void wb_vacuum_gripper_turn_off(WbDeviceTag tag) {
  PresenceDevice *self = device_find(tag, &vacuum_gripper_kind, __func__);
  if (self) presence_close(self, false);
}
