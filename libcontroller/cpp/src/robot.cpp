/* The robot, with one object per device that is created on first use. */
#include <webots/device.h>
#include <webots/nodes.h>

#include <cstdio>
#include <cstdlib>
#include <map>
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

Robot::Robot() : keyboard(nullptr), mouse(nullptr), joystick(nullptr) {
  if (instance != nullptr) {
    std::fprintf(stderr, "Only one object of the class Robot can be there at a time.\n");
    std::exit(EXIT_FAILURE);
  }
  instance = this;
  wb_robot_init();
  keyboard = new Keyboard();
  mouse = new Mouse();
  joystick = new Joystick();
}

Robot::~Robot() {
  for (Device *one : devices) delete one;
  deleteAll(servos);
  deleteAll(cameras);
  delete keyboard;
  delete mouse;
  delete joystick;
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

Keyboard *Robot::getKeyboard() { return keyboard; }

Mouse *Robot::getMouse() { return mouse; }

Joystick *Robot::getJoystick() { return joystick; }

Supervisor *Supervisor::getSupervisorInstance() { return dynamic_cast<Supervisor *>(instance); }

}  // namespace webots
