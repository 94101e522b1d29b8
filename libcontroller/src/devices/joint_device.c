/* See joint_device.h. */
#include "joint_device.h"

#include "../robot.h"

WbDeviceTag find_sibling(JointDevice *device, int code, int node_type, const char *function) {
  Robot *robot = device->base.robot;
  device->sibling = 0;
  if (robot_may_ask(robot, function)) {
    put_u16(device_command(&device->base, code), node_type_to_wire(robot->dialect, node_type));
    robot_exchange(robot);
  }
  return (WbDeviceTag)device->sibling;
}
