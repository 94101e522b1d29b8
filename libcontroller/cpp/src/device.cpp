/* The class Device, and motions. */
#include <webots/device.h>
#include <webots/robot.h>

#include <webots/Device.hpp>
#include <webots/utils/Motion.hpp>

#include "text.hpp"

namespace webots {

Device::Device(const std::string &name) : tag(wb_robot_get_device(name.c_str())), name(name) {}

Device::Device(WbDeviceTag tag) : tag(tag), name(text(wb_device_get_name(tag))) {}

Motion::Motion(const std::string &fileName) : ref(wbu_motion_new(fileName.c_str())) {}

Motion::~Motion() {
  if (ref != nullptr) wbu_motion_delete(ref);
}

}  // namespace webots
