/* The devices of a car, by the names that all models of cars give them. */
#ifndef PARTS_H
#define PARTS_H

#include "../names.h"
#include "../robot.h"

#define WHEELS 4 /* front right, front left, rear right, rear left */

enum { RIGHT_SIDE, LEFT_SIDE, SIDES };
enum { TRACTION, PROPULSION, FOUR_BY_FOUR }; /* which wheels are driven: front, rear, all */

extern const Kind brake_kind, led_kind, motor_kind, position_sensor_kind, speaker_kind;

/* Tags; 0: the car has no such device. */
typedef struct {
  WbDeviceTag steering[SIDES], steering_sensors[SIDES];
  WbDeviceTag motors[WHEELS], sensors[WHEELS], brakes[WHEELS];
  int driven;
} Parts;

/* Find the devices; false, with what is missing added to `problems`, when they are none of a car. */
bool parts_find(Parts *parts, const Robot *robot, Texts *problems);

/* The device of a kind with a name; 0 when there is none. */
WbDeviceTag part_find(const Robot *robot, const Kind *kind, const char *name);

/* True when the motors turn the wheels of the axle to which a wheel belongs. */
bool is_driven(int driven, int wheel);

#endif
