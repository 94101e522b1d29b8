/* Initialization and cleanup of the program's robot. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <webots/robot.h>

#include "connect.h"
#include "gateway.h"
#include "platform/system.h"
#include "robot.h"
#include "supervisor/scene.h"
#include "vehicle/vehicle.h"
#include "window_plugin.h"

#define JOYSTICK_PERIOD 35
#define LEAVE 38

static const Kind SELF = {.class_name = "Robot"};

Robot *robot_new(Connection *connection) {
  Robot *robot = allocate(sizeof *robot);
  char **texts[] = {&robot->name,        &robot->version,        &robot->project_path,   &robot->world_path,
                    &robot->model,       &robot->window_library, &robot->remote_library, &robot->controller,
                    &robot->custom_data, &robot->urdf,           &robot->joystick.model, &robot->own.model,
                    &robot->own.def_name};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) keep_text(texts[i], "");
  robot->connection = connection;
  robot->dialect = R2025A;
  robot->self.kind = &SELF;
  robot->self.robot = robot;
  robot_make_bits(robot, 0, 0);
  robot->battery = NAN;
  robot->take = robot_take_message;
  mouse_start(&robot->mouse);
  joystick_start(&robot->joystick);
  return robot;
}

void robot_free(Robot *robot) {
  char *texts[] = {robot->name,        robot->version,        robot->project_path,   robot->world_path,
                   robot->model,       robot->window_library, robot->remote_library, robot->controller,
                   robot->custom_data, robot->urdf,           robot->own.model,      robot->own.def_name,
                   robot->arguments};
  scene_end(robot);
  motions_end(robot);
  vehicle_end(robot);
  robot_forget_devices(robot);
  for (int i = 0; i < robot->self.command_count; ++i) buffer_free(&robot->self.commands[i].payload);
  free(robot->self.commands);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) free(texts[i]);
  joystick_end(&robot->joystick);
  window_end(&robot->window);
  free(robot->busy);
  buffer_free(&robot->request);
  buffer_free(&robot->queued);
  buffer_free(&robot->configuration);
  packet_free(&robot->packet);
  reported_end(&robot->reported);
  free(robot->window_plugin);
  connection_free(robot->connection);
  free(robot);
}

/* Exit of the program without a call of wb_robot_cleanup. */
static void leave_at_exit(void) {
  if (robot_is_there() && robot_current()->owner == system_process()) wb_robot_cleanup();
}

/* Flush after each line: output appears while a program runs and is not lost if it crashes. */
static void print_lines(void) {
  if (getenv("WEBOTS_INSTANCE_PATH") && !system_prints_on_terminal()) system_flush_lines();
}

bool robot_begin(Connection *connection) {
  Robot *robot = robot_new(connection);
  robot_make_current(robot);
  put_u16(robot_command(robot, JOYSTICK_PERIOD), 0);
  robot_send(robot, 0);
  robot_receive(robot);
  put(&robot->configuration, robot->packet.data.data, robot->packet.data.size);
  if (!robot->closed) return true;
  robot_make_current(NULL);
  robot_free(robot);
  return false;
}

int wb_robot_init(void) {
  static bool registered;
  if (robot_is_there()) return 1;
  Connection *connection = connect_simulator();
  if (!connection) {
    report_end(1);
    return 0;
  }
  print_lines();
  if (!robot_begin(connection)) return 0;
  Robot *robot = robot_current();
  gateway_find(robot);
  robot->owner = system_process();
  /* A host leaves by itself: it may be gone when functions of the C library run at the exit. */
  if (!registered && !report_host.end) registered = !atexit(leave_at_exit);
  if (!report_host.end) window_plugin_load(robot); /* a plugin is linked with a library of its own */
  return 1;
}

int wb_robot_init_msvc(void) { return wb_robot_init(); }

static void say_good_bye(Robot *robot) {
  Buffer zero = {0};
  put_i32(&zero, 0);
  connection_send(robot->connection, zero.data, zero.size);
  buffer_free(&zero);
}

void wb_robot_cleanup(void) {
  if (!robot_is_there()) return;
  Robot *robot = robot_current();
  if (robot->leaving) return;
  if (robot_is_copy(robot)) {
    robot_make_current(NULL); /* its parent goes on */
    return;
  }
  robot->leaving = true;
  window_plugin_cleanup(robot);
  if (robot->stepping && !robot->is_left && !robot_is_over(robot)) wb_robot_step_end();
  if (!robot->is_left &&
      !robot_is_over(robot)) { /* a step that was left may take any time, so only the socket closes */
    robot_command(robot, LEAVE);
    if (robot_exchange(robot)) say_good_bye(robot);
  }
  robot_make_current(NULL);
  robot_close(robot);
  robot_free(robot);
}
