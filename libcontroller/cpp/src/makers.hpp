/* Makes the object of a device. */
#ifndef MAKERS_HPP
#define MAKERS_HPP

#include <webots/types.h>

namespace webots {

class Device;
class Robot;

/* The object of a device, by the type of its node; null for devices that have no class. */
Device *makeDevice(const Robot &robot, WbDeviceTag tag);

}  // namespace webots

#endif
