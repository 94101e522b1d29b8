/* See device.h. */
#include "device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webots/device.h>

#include "generated/messages.h"
#include "node_types.h"
#include "robot.h"

#define ROW 3
#define ROW_SIZE 24
#define LONGEST_NAME 64

static bool is_former(const Kind *kind, const char *function) {
  for (const char *const *one = kind->former; one && *one; ++one)
    if (!strcmp(*one, function)) return true;
  return false;
}

void *device_find(WbDeviceTag tag, const Kind *kind, const char *function) {
  Robot *robot = robot_current();
  Device *device = tag < robot->device_count ? robot->devices[tag] : NULL;
  if (device && (!kind || device->kind == kind || is_former(device->kind, function))) return device;
  if (device)
    report_error(function, MESSAGE_TAG_OF_OTHER_KIND, tag, device->name, node_type_name(device->node_type));
  else
    report_error(function, MESSAGE_TAG_OF_NO_DEVICE, tag);
  return NULL;
}

bool device_exchange(Device *device) { return robot_exchange(device->robot); }

/* Sensors. */

bool is_bad_period(const char *function, int period) {
  if (0 <= period && period <= MAX_PERIOD) return false;
  report_error(function, period < 0 ? MESSAGE_NEGATIVE_PERIOD : MESSAGE_LONG_PERIOD, period, MAX_PERIOD);
  return true;
}

void device_enable(Device *device, int period, const char *function) {
  if (is_bad_period(function, period)) return;
  device->period = period;
  put_u16(device_command(device, ENABLE), (unsigned)period);
}

void api_name(const Device *device, const char *method, char *name, size_t size) {
  size_t at = (size_t)snprintf(name, size, "wb_");
  const char *class_name = device->kind->class_name;
  for (const char *c = class_name; *c && at + 2 < size; ++c) {
    if (c > class_name && isupper((unsigned char)*c) && islower((unsigned char)c[-1])) name[at++] = '_';
    name[at++] = (char)tolower((unsigned char)*c);
  }
  snprintf(name + at, size - at, "_%s", method);
}

void device_warn_disabled(const Device *device, const char *enable, const char *function) {
  char call[LONGEST_NAME];
  api_name(device, enable, call, sizeof call);
  report_warning(function, true, MESSAGE_DISABLED_DEVICE, device->name, call);
}

void devices_hold_images(Robot *robot, bool hold) {
  robot->holds_images = hold;
  for (int tag = 1; tag < robot->device_count; ++tag) {
    Device *device = robot->devices[tag];
    if (device && device->kind->hold_images) device->kind->hold_images(device, hold);
  }
}

void device_read_table(Device *device, Reader *in) {
  device->rows = read_count(in, ROW_SIZE);
  device->table = reallocate(device->table, sizeof(double) * ROW * (size_t)device->rows);
  read_f64s(in, device->table, ROW * device->rows);
}

void device_free(Device *device) {
  if (!device) return;
  if (device->kind->end) device->kind->end(device);
  for (int i = 0; i < device->command_count; ++i) buffer_free(&device->commands[i].payload);
  free(device->commands);
  free(device->table);
  free(device->name);
  free(device->model);
  free(device);
}

/* Functions of all devices. */

const char *wb_device_get_name(WbDeviceTag tag) {
  if (tag == 0) return robot_current()->name;
  const Device *device = device_find(tag, NULL, __func__);
  return device ? device->name : "";
}

const char *wb_device_get_model(WbDeviceTag tag) {
  if (tag == 0) return robot_current()->model;
  const Device *device = device_find(tag, NULL, __func__);
  return device ? device->model : "";
}

WbNodeType wb_device_get_node_type(WbDeviceTag tag) {
  if (tag == 0) return WB_NODE_ROBOT;
  const Device *device = device_find(tag, NULL, __func__);
  return device ? (WbNodeType)device->node_type : WB_NODE_NO_NODE;
}
