/* InertialUnit: orientation as a quaternion or as roll, pitch and yaw. */
#include "wb_inertial_unit.h"

#include <math.h>
#include <webots/inertial_unit.h>

#include "sensor.h"

SENSOR_FUNCTIONS(inertial_unit, DEVICE_INERTIAL_UNIT)

const double *wb_inertial_unit_get_quaternion(WbDeviceTag tag) { return channel_numbers(channel_of(tag)); }

double wb_inertial_unit_get_noise(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_INERTIAL_UNIT);
  return index == NO_DEVICE ? NAN : inertial_unit_table[index].noise;
}

/* Roll, pitch and yaw from a quaternion, by comparing entries of the rotation matrix yaw * pitch * roll. If y
 * is up, y and z are exchanged and rotations are reversed. */
static void angles_of(const double *quaternion, bool y_up, double *angles) {
  const double x = quaternion[0], y = y_up ? -quaternion[2] : quaternion[1];
  const double z = y_up ? quaternion[1] : quaternion[2], w = quaternion[3];
  const double sine = 2 * (w * y - z * x);
  angles[0] = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  angles[1] = asin(sine > 1 ? 1 : sine < -1 ? -1 : sine);
  angles[2] = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  if (y_up) angles[1] = -angles[1];
}

const double *wb_inertial_unit_get_roll_pitch_yaw(WbDeviceTag tag) {
  static double angles[3];
  const uint8_t index = device_index(tag, DEVICE_INERTIAL_UNIT);
  if (index == NO_DEVICE) return channel_numbers(NO_INDEX);
  const FLASH struct inertial_unit *unit = &inertial_unit_table[index];
  angles_of(channel_numbers(unit->value), unit->coordinate_system == 1, angles);
  return angles;
}
