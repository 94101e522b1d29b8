/* Pending commands of devices and of the robot node. */
#include <string.h>

#include "robot.h"

static Command *find_command(Device *device, int code, int *place) {
  int i = 0;
  while (i < device->command_count && device->commands[i].code < code) ++i;
  *place = i;
  return i < device->command_count && device->commands[i].code == code ? &device->commands[i] : NULL;
}

Buffer *device_command(Device *device, int code) {
  int place;
  Command *found = find_command(device, code, &place);
  if (!found) {
    const size_t count = (size_t)device->command_count++;
    device->commands = reallocate(device->commands, sizeof *device->commands * (count + 1));
    found = device->commands + place;
    memmove(found + 1, found, sizeof *found * (count - (size_t)place));
    *found = (Command){.code = code};
  }
  found->waits = found->counts = device->busy = true;
  found->payload.size = 0;
  return &found->payload;
}

void device_cancel(Device *device, int code) {
  int place;
  Command *found = find_command(device, code, &place);
  if (found) found->waits = found->counts = false;
}

void device_resend_lasting(Device *device) {
  for (Command *one = device->commands; one < device->commands + device->command_count; ++one) {
    const bool lasts = one->code < 32 && device->lasting >> one->code & 1;
    if (lasts && one->counts) one->waits = device->busy = true;
  }
}

void device_flush(Device *device, Buffer *out) {
  for (Command *one = device->commands; one < device->commands + device->command_count; ++one) {
    if (!one->waits) continue;
    if (device->kind->wide)
      put_u16(out, (unsigned)one->code);
    else
      put_u8(out, (unsigned)one->code);
    put(out, one->payload.data, one->payload.size);
    one->waits = false;
  }
}

Buffer *robot_command(Robot *robot, int code) { return device_command(&robot->self, code); }

Buffer *robot_queue(Robot *robot, int code) {
  put_u8(&robot->queued, (unsigned)code);
  return &robot->queued;
}

void robot_resend_lasting(Robot *robot) {
  if (robot->battery_period) put_u16(robot_command(robot, BATTERY_PERIOD), (unsigned)robot->battery_period);
  for (int tag = 1; tag < robot->device_count; ++tag) {
    if (robot->devices[tag]) device_resend_lasting(robot->devices[tag]);
  }
}
