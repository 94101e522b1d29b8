/* The class Device, and motions. */
#include <webots/device.h>
#include <webots/robot.h>

#include <webots/Device.hpp>
#include <webots/utils/Motion.hpp>

#include "text.hpp"

namespace webots {

Device::Device(const std::string &name)
    : wb_member_tag(wb_robot_get_device(name.c_str())), wb_member_name(name) {}

Device::Device(WbDeviceTag tag) : wb_member_tag(tag), wb_member_name(text(wb_device_get_name(tag))) {}

Motion::Motion(const std::string &fileName) : wb_member_ref(wbu_motion_new(fileName.c_str())) {}

Motion::~Motion() {
  if (wb_member_ref != nullptr) wbu_motion_delete(wb_member_ref);
}

}  // namespace webots
