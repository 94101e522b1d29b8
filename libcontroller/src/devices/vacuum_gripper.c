/* A vacuum gripper, which attaches solids by suction. */
#include <webots/vacuum_gripper.h>

#include "../device.h"
#include "../generated/vacuum_gripper_codec.h"

typedef struct {
  Device base;
  VACUUM_GRIPPER_MEMBERS;
} VacuumGripper;

void wb_vacuum_gripper_turn_on(WbDeviceTag tag) {
  VacuumGripper *self = device_find(tag, &vacuum_gripper_kind, __func__);
  if (!self) return;
  device_replace(&self->base, VACUUM_GRIPPER_TURN_OFF, VACUUM_GRIPPER_TURN_ON);
  self->on = true;
}

void wb_vacuum_gripper_turn_off(WbDeviceTag tag) {
  VacuumGripper *self = device_find(tag, &vacuum_gripper_kind, __func__);
  if (!self) return;
  device_replace(&self->base, VACUUM_GRIPPER_TURN_ON, VACUUM_GRIPPER_TURN_OFF);
  self->on = false;
}

#include "../generated/vacuum_gripper.h"
