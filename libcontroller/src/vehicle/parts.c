/* See parts.h. */
#include "parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../generated/messages.h"

#define LONGEST_NAME 64

static const char *const SIDE_NAMES[SIDES] = {"right", "left"};
static const char *const WHEEL_NAMES[WHEELS] = {"right_front", "left_front", "right_rear", "left_rear"};

WbDeviceTag part_find(const Robot *robot, const Kind *kind, const char *name) {
  for (int tag = robot->device_count - 1; tag > 0; --tag) {
    const Device *device = robot->devices[tag];
    if (device && !strcmp(device->name, name)) return device->kind == kind ? (WbDeviceTag)tag : 0;
  }
  return 0;
}

bool is_driven(int driven, int wheel) {
  return driven == FOUR_BY_FOUR || driven == (wheel < 2 ? TRACTION : PROPULSION);
}

/* Find one device per position; append those that are absent to `missing`. */
static void find_each(const Robot *robot, const Kind *kind, const char *const *places, int count,
                      const char *end, WbDeviceTag *tags, Texts *missing) {
  for (int i = 0; i < count; ++i) {
    char name[LONGEST_NAME];
    snprintf(name, sizeof name, "%s_%s", places[i], end);
    tags[i] = part_find(robot, kind, name);
    if (!tags[i]) texts_add(missing, "%s", name);
  }
}

/* The motors of the wheels: both front wheels, both rear wheels, or all. */
static void find_motors(Parts *parts, const Robot *robot, Texts *missing) {
  Texts absent = {0};
  const WbDeviceTag *motors = parts->motors;
  find_each(robot, &motor_kind, WHEEL_NAMES, WHEELS, "wheel", parts->motors, &absent);
  const bool front = motors[0] && motors[1], rear = motors[2] && motors[3];
  for (int i = 0; i < absent.count && !front && !rear; ++i) texts_add(missing, "%s", absent.items[i]);
  texts_free(&absent);
  parts->driven = front && rear ? FOUR_BY_FOUR : front ? TRACTION : PROPULSION;
}

/* Names, each with the most similar existing name. */
static void complain(const Robot *robot, const Texts *missing, Texts *problems) {
  const char **known = allocate(sizeof *known * (size_t)robot->device_count);
  int count = 0;
  Buffer list = {0};
  for (int tag = 1; tag < robot->device_count; ++tag) {
    if (robot->devices[tag]) known[count++] = robot->devices[tag]->name;
  }
  for (int i = 0; i < missing->count; ++i) {
    const char *const texts[] = {i ? ", \"" : "\"", missing->items[i], "\"",
                                 closest(missing->items[i], known, count)};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) put(&list, texts[k], strlen(texts[k]));
  }
  put_u8(&list, 0);
  texts_add(problems, MESSAGE_LACKING_DEVICES, robot->name, (const char *)list.data);
  buffer_free(&list);
  free(known);
}

bool parts_find(Parts *parts, const Robot *robot, Texts *problems) {
  Texts missing = {0};
  find_each(robot, &motor_kind, SIDE_NAMES, SIDES, "steer", parts->steering, &missing);
  find_each(robot, &position_sensor_kind, SIDE_NAMES, SIDES, "steer_sensor", parts->steering_sensors,
            &missing);
  find_each(robot, &position_sensor_kind, WHEEL_NAMES, WHEELS, "sensor", parts->sensors, &missing);
  find_each(robot, &brake_kind, WHEEL_NAMES, WHEELS, "brake", parts->brakes, &missing);
  find_motors(parts, robot, &missing);
  const bool complete = !missing.count;
  if (!complete) complain(robot, &missing, problems);
  texts_free(&missing);
  return complete;
}
