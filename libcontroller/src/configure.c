/* The configure packet, which describes the robot to its controller before the first step. */
#include <stdlib.h>
#include <string.h>

#include "robot.h"
#include "supervisor/scene.h"

#define LEAST_ENTRY 4 /* minimum size of a device in the list, in bytes */

static Device *new_device(Robot *robot, int node_type, const char *name, const char *model) {
  const Kind *kind = kind_of(node_type);
  if (!kind) return NULL;
  Device *device = allocate(kind->size);
  device->kind = kind;
  device->robot = robot;
  device->tag = robot->device_count;
  device->node_type = node_type;
  device->lasting = kind->lasting ? kind->lasting : 1u << ENABLE;
  keep_text(&device->name, name);
  keep_text(&device->model, model);
  if (kind->start) kind->start(device);
  robot->has_hearers = robot->has_hearers || kind->taken;
  return device;
}

static void add_devices(Robot *robot, Reader *in, int count) {
  if (count < 0 || (size_t)count > left(in) / LEAST_ENTRY) {
    if (!in->problem) in->problem = "a list has more devices than there are bytes";
    return;
  }
  const size_t size = sizeof *robot->devices * (size_t)(robot->device_count + count);
  robot->devices = reallocate(robot->devices, size);
  robot_make_bits(robot, robot->device_count > 0 ? robot->device_count : 1, robot->device_count + count);
  for (int i = 0; i < count; ++i) {
    const int node_type = node_type_from_wire(robot->dialect, read_u16(in));
    const char *name = read_text(in), *model = read_text(in);
    robot->devices[robot->device_count] = new_device(robot, node_type, name, model);
    ++robot->device_count;
  }
}

void robot_forget_devices(Robot *robot) {
  for (int i = 0; i < robot->device_count; ++i) device_free(robot->devices[i]);
  free(robot->devices);
  robot->devices = NULL;
  robot->device_count = 0;
}

void robot_take_new_devices(Robot *robot, Reader *in) {
  const size_t start = in->at;
  add_devices(robot, in, (int)read_u16(in));
  put_u16(&robot->configuration, 0);
  put_u8(&robot->configuration, NEW_DEVICES);
  put(&robot->configuration, in->data + start, in->at - start);
}

static void take_own(Robot *robot, Reader *in) {
  Own *own = &robot->own;
  own->expected = false;
  own->known = true;
  own->id = read_u32(in);
  own->parent = read_u32(in);
  own->is_proto = read_bool(in);
  own->in_proto = read_bool(in);
  read_kept_text(in, &own->model);
  read_kept_text(in, &own->def_name);
}

/* In R2023a the packet begins with two booleans, in later releases with the robot's name. */
static bool is_oldest(const Reader *in) {
  return left(in) >= 2 && in->data[in->at] <= 1 && in->data[in->at + 1] <= 1;
}

static void take_rest(Robot *robot, Reader *in) {
  char **texts[] = {&robot->project_path,   &robot->world_path, &robot->model,      &robot->window_library,
                    &robot->remote_library, &robot->controller, &robot->custom_data};
  robot->basic_time_step = read_f64(in);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) read_kept_text(in, texts[i]);
  robot->shows_window = read_bool(in);
  read_bool(in); /* true for an HTML window */
  robot->simulation_mode = read_i32(in);
}

void robot_take_configure(Robot *robot, Reader *in) {
  if (robot->own.expected) {
    take_own(robot, in);
    return;
  }
  const bool oldest = is_oldest(in);
  robot->own.known = false;
  robot_forget_devices(robot);
  scene_forget(robot);
  robot->devices = allocate(sizeof *robot->devices);
  robot->device_count = 1;
  robot->dialect = R2023A;
  if (!oldest) {
    read_kept_text(in, &robot->name);
    read_kept_text(in, &robot->version);
    robot->dialect = !strncmp(robot->version, "R2023b", 6) ? R2023B : R2025A;
  }
  robot->supervisor = read_bool(in);
  robot->synchronization = read_bool(in);
  const int count = (int)read_u16(in) - 1;
  read_u16(in); /* the robot's node type */
  robot->time = read_f64(in);
  if (oldest) read_kept_text(in, &robot->name);
  add_devices(robot, in, count);
  take_rest(robot, in);
  robot->own.expected = robot->supervisor;
}
