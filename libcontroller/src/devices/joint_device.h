/* Base of the devices of a joint. */
#ifndef JOINT_DEVICE_H
#define JOINT_DEVICE_H

#include <webots/nodes.h>

#include "../device.h"

typedef struct {
  Device base;
  int type; /* 0 rotational, 1 linear */
  int sibling;
} JointDevice;

/* The tag of the device with a node type on the same joint, or 0. `code` is the command of the request.
 */
WbDeviceTag find_sibling(JointDevice *device, int code, int node_type, const char *function);

/* The last value of a position sensor, whether it is enabled or not. */
double position_sensor_value(const Device *sensor);

#endif
