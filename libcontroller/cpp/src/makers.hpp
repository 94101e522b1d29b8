/* Create the object of a device. */
#ifndef MAKERS_HPP
#define MAKERS_HPP

#include <webots/types.h>

namespace webots {

class Device;
class Robot;

/* The object of a device, by its node type, or null for devices without a class. */
Device *makeDevice(const Robot &robot, WbDeviceTag tag);

}  // namespace webots

#endif
