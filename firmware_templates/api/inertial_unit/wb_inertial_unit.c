/* Measures its orientation. */
#include "wb_inertial_unit.h"

#include <math.h>
#include <webots/inertial_unit.h>

#include "sensor.h"

SENSOR_FUNCTIONS(inertial_unit, DEVICE_INERTIAL_UNIT)

const double *wb_inertial_unit_get_quaternion(WbDeviceTag tag) { return channel_numbers(channel_of(tag)); }

double wb_inertial_unit_get_noise(WbDeviceTag tag) {
  const uint8_t place = device_place(tag, DEVICE_INERTIAL_UNIT);
  return place == NO_DEVICE ? NAN : inertial_unit_table[place].noise;
}

/* Roll, pitch and yaw of a quaternion: entries of the rotation matrix Yaw Pitch Roll, solved for the angles.
   With y up, the axes y and z change places, and so does the sense of rotation. */
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
  const uint8_t place = device_place(tag, DEVICE_INERTIAL_UNIT);
  if (place == NO_DEVICE) return channel_numbers(NO_PLACE);
  const FLASH struct inertial_unit *unit = &inertial_unit_table[place];
  angles_of(channel_numbers(unit->value), unit->coordinate_system == 1, angles);
  return angles;
}
