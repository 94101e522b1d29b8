/* The devices of a car, by the names that all car models use. */
#ifndef PARTS_H
#define PARTS_H

#include "../names.h"
#include "../robot.h"

#define WHEELS 4 /* front right, front left, rear right, rear left */

enum { RIGHT_SIDE, LEFT_SIDE, SIDES };
enum { TRACTION, PROPULSION, FOUR_BY_FOUR }; /* driven wheels: front, rear, all */

extern const Kind brake_kind, led_kind, motor_kind, position_sensor_kind, speaker_kind;

/* Tags; 0: the device does not exist. */
typedef struct {
  WbDeviceTag steering[SIDES], steering_sensors[SIDES];
  WbDeviceTag motors[WHEELS], sensors[WHEELS], brakes[WHEELS];
  int driven;
} Parts;

/* Find the devices; false, with missing devices appended to `problems`, if the robot is not a car. */
bool parts_find(Parts *parts, const Robot *robot, Texts *problems);

/* The tag of the device of a kind with a name, or 0. */
WbDeviceTag part_find(const Robot *robot, const Kind *kind, const char *name);

/* True if the wheel's axle is driven. */
bool is_driven(int driven, int wheel);

#endif
