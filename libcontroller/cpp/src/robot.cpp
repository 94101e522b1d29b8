/* The robot, with one object per device that is created on first use. */
#include <webots/device.h>
#include <webots/nodes.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>
#include <webots/Camera.hpp>
#include <webots/Field.hpp>
#include <webots/Joystick.hpp>
#include <webots/Keyboard.hpp>
#include <webots/Mouse.hpp>
#include <webots/Node.hpp>
#include <webots/Proto.hpp>
#include <webots/Servo.hpp>
#include <webots/Supervisor.hpp>

#include "makers.hpp"
#include "text.hpp"

namespace webots {

namespace {
Robot *instance = nullptr;
/* The objects of devices by their tags: an object of Robot has no room for them, as programs that were
   compiled with Webots' headers provide 32 bytes for it. */
std::vector<Device *> devices;
/* Devices by their classes of Webots 8, if the object of their tag has another class. */
std::map<WbDeviceTag, Servo *> servos;
std::map<WbDeviceTag, Camera *> cameras;

template <class Former>
Former *makeOnce(std::map<WbDeviceTag, Former *> &made, WbDeviceTag tag) {
  Former *&found = made[tag];
  if (found == nullptr) found = new Former(tag);
  return found;
}

template <class Former>
void deleteAll(std::map<WbDeviceTag, Former *> &made) {
  for (const auto &one : made) delete one.second;
  made.clear();
}
}  // namespace

Robot::Robot() : wb_member_keyboard(nullptr), wb_member_joystick(nullptr), wb_member_mouse(nullptr) {
  if (instance != nullptr) {
    std::fprintf(stderr, "Only one object of the class Robot can be there at a time.\n");
    std::exit(EXIT_FAILURE);
  }
  instance = this;
  wb_robot_init();
  wb_member_keyboard = new Keyboard();
  wb_member_mouse = new Mouse();
  wb_member_joystick = new Joystick();
}

Robot::~Robot() {
  for (Device *device : devices) delete device;
  devices.clear();
  deleteAll(servos);
  deleteAll(cameras);
  delete wb_member_keyboard;
  delete wb_member_mouse;
  delete wb_member_joystick;
  Node::cleanup();
  Field::cleanup();
  Proto::cleanup();
  instance = nullptr;
  wb_robot_cleanup();
}

Device *Robot::getOrCreateDevice(int tag) {
  if (tag <= 0) return nullptr;
  const std::size_t place = static_cast<std::size_t>(tag);
  if (devices.size() <= place) devices.resize(place + 1, nullptr);
  if (devices[place] == nullptr) devices[place] = makeDevice(*this, static_cast<WbDeviceTag>(tag));
  return devices[place];
}

Device *Robot::getDeviceFromTag(int tag) {
  return instance == nullptr ? nullptr : instance->getOrCreateDevice(tag);
}

int Robot::getDeviceTypeFromTag(int tag) { return wb_device_get_node_type(static_cast<WbDeviceTag>(tag)); }

std::string Robot::getDeviceNameFromTag(int tag) {
  return text(wb_device_get_name(static_cast<WbDeviceTag>(tag)));
}

int Robot::getDeviceTagFromIndex(int index) { return wb_robot_get_device_by_index(index); }

int Robot::getDeviceTagFromName(const std::string &name) { return wb_robot_get_device(name.c_str()); }

Servo *Robot::getServo(const std::string &name) {
  const WbDeviceTag tag = wb_robot_get_device(name.c_str());
  return tag == 0 ? nullptr : makeOnce(servos, tag);
}

Camera *Robot::getCamera(const std::string &name) {
  const WbDeviceTag tag = wb_robot_get_device(name.c_str());
  if (tag != 0 && wb_device_get_node_type(tag) == WB_NODE_RANGE_FINDER) return makeOnce(cameras, tag);
  return dynamic_cast<Camera *>(getOrCreateDevice(tag));
}

Keyboard *Robot::getKeyboard() { return wb_member_keyboard; }

Mouse *Robot::getMouse() { return wb_member_mouse; }

Joystick *Robot::getJoystick() { return wb_member_joystick; }

Supervisor *Supervisor::getSupervisorInstance() { return dynamic_cast<Supervisor *>(instance); }

Node *Supervisor::getFromDevice(const Device *device) const {
  if (device != nullptr) return getFromDeviceTag(device->getTag());
  std::fprintf(
      stderr,
      "Error: wb_supervisor_node_get_from_device() called with an invalid 'device' argument (NULL).\n");
  return nullptr;
}

}  // namespace webots
