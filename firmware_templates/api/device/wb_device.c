/* Functions that all devices have. */
#include <webots/device.h>

#include "devices.h"

const char *wb_device_get_name(WbDeviceTag tag) { return device_name(tag); }

WbNodeType wb_device_get_node_type(WbDeviceTag tag) {
  return tag <= DEVICES ? (WbNodeType)devices[tag].node : WB_NODE_NO_NODE;
}

WbNodeType wb_device_get_type(WbDeviceTag tag) { return wb_device_get_node_type(tag); }
