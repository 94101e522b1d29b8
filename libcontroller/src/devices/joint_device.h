/* What the devices of a joint share: they find one another, and know the type of the joint. */
#ifndef JOINT_DEVICE_H
#define JOINT_DEVICE_H

#include "../device.h"

typedef struct {
  Device base;
  int type; /* 0 rotational, 1 linear */
  unsigned sibling;
} JointDevice;

/* The tag of the device of a type on the same joint; 0 when there is none. `code` is the command that asks.
 */
WbDeviceTag find_sibling(JointDevice *device, int code, int node_type, const char *function);

/* What a position sensor has measured last, whether it is on or off. */
double position_sensor_value(const Device *sensor);

#endif
