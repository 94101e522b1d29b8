/* See gateway.h. */
#include "gateway.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webots/remote_control.h>
#include <webots/robot.h>

#include "platform/system.h"

#define MODE_BLOCK 0xFFFF
#define CUSTOM_BLOCK 0xFFFE
#define BLOCK_HEAD 6

/* Not `-m`, which would search for modules in the controller's folder first. */
static const char PROGRAM[] =
    "import sys; sys.path[:1] == [\"\"] and sys.path.pop(0)\n"
    "from wbridge.hal.gateway.start import main; sys.exit(main(sys.argv[1:]))";
static const char FUNCTION[] = "wb_robot_set_mode";

void gateway_find(Robot *robot) {
  if (!getenv("WBRIDGE_REMOTE_GATEWAY")) return;
  robot->has_gateway = true;
  robot->mode = WB_MODE_REMOTE_CONTROL;
}

/* Start the program with two sockets, of which `own` is this side's; returns 0 or an error number. */
static int start_program(const Connection *simulator, int *own, int64_t *program) {
  const char *python = getenv("WBRIDGE_PYTHON");
  const char *arguments[] = {python ? python : "python3",      "-c", PROGRAM, "--sockets", "3", "4",
                             simulator->tcp ? "tcp" : "local", NULL};
  return system_start_between(arguments, simulator->socket, own, program);
}

/* Send the configuration to the program, as an answer. */
static void send_configuration(const Robot *robot, Connection *connection) {
  Buffer out = {0};
  put_i32(&out, (int32_t)robot->configuration.size + 8);
  put_i32(&out, 0);
  put(&out, robot->configuration.data, robot->configuration.size);
  connection_send(connection, out.data, out.size);
  buffer_free(&out);
}

/* Send a block of its own to a gateway and receive its answer into the robot's packet. Returns NULL or an
 * error. */
static const char *ask(Robot *robot, Connection *connection, unsigned block, const Buffer *content) {
  Buffer out = {0};
  put_i32(&out, (int32_t)(8 + BLOCK_HEAD + content->size));
  put_u32(&out, 0);
  put_u16(&out, block);
  put_i32(&out, (int32_t)content->size);
  put(&out, content->data, content->size);
  const char *problem = connection_send(connection, out.data, out.size);
  buffer_free(&out);
  while (!problem && !(problem = connection_receive(connection, &robot->packet)) &&
         robot->packet.delay == UNASKED)
    problem = robot_take(robot, robot->packet.data.data, robot->packet.data.size);
  return problem;
}

/* Request a mode. Returns NULL or an error. */
static const char *ask_for_mode(Robot *robot, Connection *connection, int mode, const char *arg) {
  Buffer content = {0};
  put_i32(&content, mode);
  put_text(&content, arg);
  const char *problem = ask(robot, connection, MODE_BLOCK, &content);
  buffer_free(&content);
  return problem ? problem : robot_take(robot, robot->packet.data.data, robot->packet.data.size);
}

/* Insert the gateway between controller and simulator. */
static void step_aside(Robot *robot, Connection *connection) {
  connection_free(robot->connection);
  robot->connection = connection;
  robot->has_gateway = true;
}

static void start(Robot *robot, int mode, const char *arg) {
  int64_t program = 0;
  int own = -1;
  connection_stop_sharing(robot->connection);
  const int failed = start_program(robot->connection, &own, &program);
  Connection *connection = allocate(sizeof *connection);
  *connection = (Connection){.socket = own, .tcp = robot->connection->tcp};
  const char *problem = failed ? strerror(failed) : NULL;
  if (!failed) {
    send_configuration(robot, connection);
    problem = ask_for_mode(robot, connection, mode, arg);
  }
  if (robot->mode == mode) {
    step_aside(robot, connection);
    return;
  }
  connection_free(connection);
  if (!failed) system_await_program(program);
  if (problem)
    report_error(FUNCTION,
                 "cannot run the remote control: it needs Python with wbridge, which WBRIDGE_PYTHON can name "
                 "(%s); the robot stays in simulation.",
                 problem);
}

static void lose(Robot *robot) {
  robot_close(robot);
  report_line("Lost the simulator: the gateway for remote control has ended");
  report_end(1);
}

void gateway_set_mode(Robot *robot, int mode, const char *arg) {
  if (mode == robot->mode && mode == WB_MODE_SIMULATION)
    return; /* remote control may switch to another robot */
  if (robot->has_gateway) {
    if (ask_for_mode(robot, robot->connection, mode, arg)) {
      lose(robot);
      return;
    }
  } else
    start(robot, mode, arg);
  if (robot->mode == WB_MODE_REMOTE_CONTROL) robot_resend_lasting(robot);
}

const Buffer *gateway_call(Robot *robot, const char *argument) {
  if (!robot->has_gateway || robot->closed || !robot_may_ask(robot, "wb_remote_control_custom_function"))
    return NULL;
  const Buffer content = {.data = (unsigned char *)argument, .size = strlen(argument)};
  if (ask(robot, robot->connection, CUSTOM_BLOCK, &content)) {
    lose(robot);
    return NULL;
  }
  return &robot->packet.data;
}

void *wb_remote_control_custom_function(void *arg) {
  (void)arg;
  if (robot_current()->mode == WB_MODE_REMOTE_CONTROL)
    report_warning(__func__, true,
                   "returns NULL: the plugin runs in a program of its own, which cannot use this pointer.");
  return NULL;
}
