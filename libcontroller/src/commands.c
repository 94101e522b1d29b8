/* Pending commands of devices and of the robot node. */
#include <string.h>

#include "robot.h"

#define TAGS 64 /* in a word of bits */

static Command *find_command(Device *device, int code, int *place) {
  int i = 0;
  while (i < device->command_count && device->commands[i].code < code) ++i;
  *place = i;
  return i < device->command_count && device->commands[i].code == code ? &device->commands[i] : NULL;
}

static Command *begin_command(Device *device, int code, bool is_number) {
  int place;
  Command *found = find_command(device, code, &place);
  if (!found) {
    const size_t count = (size_t)device->command_count++;
    device->commands = reallocate(device->commands, sizeof *device->commands * (count + 1));
    found = device->commands + place;
    memmove(found + 1, found, sizeof *found * (count - (size_t)place));
    *found = (Command){.code = code};
  }
  found->waits = found->counts = true;
  device_wait(device);
  found->is_number = is_number;
  return found;
}

Buffer *device_command(Device *device, int code) {
  Buffer *payload = &begin_command(device, code, false)->payload;
  payload->size = 0;
  return payload;
}

void device_command_number(Device *device, int code, double number) {
  begin_command(device, code, true)->number = number;
}

void device_replace(Device *device, int other, int code) {
  int place;
  Command *found = find_command(device, other, &place);
  if (found) found->waits = found->counts = false;
  device_command(device, code);
}

void device_resend_lasting(Device *device) {
  for (Command *one = device->commands; one < device->commands + device->command_count; ++one) {
    const bool lasts = one->code < 32 && device->lasting >> one->code & 1;
    if (!lasts || !one->counts) continue;
    one->waits = true;
    device_wait(device);
  }
}

void device_flush(Device *device, Buffer *out) {
  for (Command *one = device->commands; one < device->commands + device->command_count; ++one) {
    if (!one->waits) continue;
    if (device->kind->wide)
      put_u16(out, (unsigned)one->code);
    else
      put_u8(out, (unsigned)one->code);
    if (one->is_number)
      put_f64(out, one->number);
    else
      put(out, one->payload.data, one->payload.size);
    one->waits = false;
  }
}

void robot_set_busy(Robot *robot, int tag, bool is_busy) {
  const uint64_t bit = (uint64_t)1 << tag % TAGS;
  uint64_t *word = &robot->busy[tag / TAGS];
  *word = is_busy ? *word | bit : *word & ~bit;
}

void robot_make_bits(Robot *robot, int first, int count) {
  const size_t words = (size_t)(count / TAGS + 1);
  robot->busy = reallocate(robot->busy, words * sizeof *robot->busy);
  for (int i = first / TAGS; i <= count / TAGS; ++i)
    robot->busy[i] = i == first / TAGS && first % TAGS ? robot->busy[i] & ~(~(uint64_t)0 << first % TAGS) : 0;
}

void device_wait(Device *device) { robot_set_busy(device->robot, device->tag, true); }

int robot_busy_from(const Robot *robot, int tag) {
  for (int i = tag / TAGS; i <= robot->device_count / TAGS; ++i) {
    const uint64_t bits = robot->busy[i] & (i == tag / TAGS ? ~(uint64_t)0 << tag % TAGS : ~(uint64_t)0);
    if (bits) return i * TAGS + __builtin_ctzll(bits);
  }
  return robot->device_count;
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

/* The same as numbers. */

/* The number of a command that has just one. */
static bool number_of(const Command *command, double *number) {
  const Buffer *payload = &command->payload;
  int32_t whole;
  *number = command->number;
  if (command->is_number) return true;
  if (payload->size != sizeof whole) return false;
  memcpy(&whole, payload->data, sizeof whole);
  *number = whole;
  return true;
}

static HostedChange *next_of(Changes *changes) {
  if (changes->count == changes->room) {
    changes->room = 2 * changes->room + 1;
    changes->items = reallocate(changes->items, changes->room * sizeof *changes->items);
  }
  return &changes->items[changes->count];
}

static bool take_commands(Changes *changes, Device *device) {
  if (device->kind->flush) return false; /* it has more than commands */
  const Command *end = device->commands + device->command_count;
  for (Command *one = device->commands; one < end; ++one) {
    if (!one->waits) continue;
    HostedChange *change = next_of(changes);
    if (!number_of(one, &change->number)) return false;
    change->key = (int64_t)device->tag << HOSTED_TAG_BITS | one->code;
    ++changes->count;
    one->waits = false;
  }
  return true;
}

bool changes_take(Changes *changes, Robot *robot) {
  changes->count = 0;
  if (robot->queued.size || robot->busy[0] & 1 || robot->relay.add) return false;
  for (int tag = robot_busy_from(robot, 1); tag < robot->device_count;
       tag = robot_busy_from(robot, tag + 1)) {
    if (take_commands(changes, robot->devices[tag])) {
      robot_set_busy(robot, tag, false);
      continue;
    }
    changes_return(changes, robot);
    return false;
  }
  return true;
}

void changes_return(const Changes *changes, Robot *robot) {
  for (size_t i = 0; i < changes->count; ++i) {
    const int64_t key = changes->items[i].key;
    Device *device = robot->devices[key >> HOSTED_TAG_BITS];
    int place;
    Command *command = find_command(device, (int)(key & ((1 << HOSTED_TAG_BITS) - 1)), &place);
    command->waits = true;
    device_wait(device);
  }
}
