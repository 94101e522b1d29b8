/* See gateway.h. */
#include "gateway.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <webots/robot.h>

#define MODE_BLOCK 0xFFFF
#define BLOCK_HEAD 6
#define FIRST_FILE 3 /* after stdin, stdout and stderr */
#define HUNG_MS 500  /* a gateway that says nothing for this time during a request hangs: see hal/modes/remote/guard.py */

extern char **environ;

/* Not `-m`, which would search for modules in the controller's folder first. */
static const char PROGRAM[] =
    "import sys; sys.path[:1] == [\"\"] and sys.path.pop(0)\n"
    "from hal.modes.remote.gateway_start import main; sys.exit(main(sys.argv[1:]))";
static const char FUNCTION[] = "wb_robot_set_mode";

/* The connection leads to a gateway, which must give signs of life. */
static void watch(Robot *robot, pid_t gateway) {
  robot->has_gateway = true;
  robot->gateway = gateway;
  robot->connection->spin.patience_ms = HUNG_MS;
}

void gateway_find(Robot *robot) {
  const char *place = getenv("WBRIDGE_REMOTE_GATEWAY");
  struct ucred peer = {0};
  socklen_t size = sizeof peer;
  if (!place) return;
  getsockopt(robot->connection->socket, SOL_SOCKET, SO_PEERCRED, &peer, &size);
  watch(robot, peer.pid);
  keep_text(&robot->place, place);
  robot->mode = WB_MODE_REMOTE_CONTROL;
}

/* Start the program with two sockets; returns 0 or an error number. */
static int start_program(int own, int simulator, bool tcp, pid_t *program) {
  const char *python = getenv("WBRIDGE_PYTHON");
  const char *name = python ? python : "python3";
  const char *arguments[] = {name, "-c", PROGRAM, "--sockets", "3", "4", tcp ? "tcp" : "local", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  /* A session of its own: signals to the controller's process group do not reach the program. */
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  /* Copies above all used descriptors, so that neither is overwritten before it is moved. */
  const int controller_copy = fcntl(own, F_DUPFD_CLOEXEC, FIRST_FILE + 2);
  const int simulator_copy = fcntl(simulator, F_DUPFD_CLOEXEC, FIRST_FILE + 2);
  posix_spawn_file_actions_adddup2(&actions, controller_copy, FIRST_FILE);
  posix_spawn_file_actions_adddup2(&actions, simulator_copy, FIRST_FILE + 1);
  const int problem =
      posix_spawnp(program, name, &actions, &attributes, (char *const *)(void *)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(controller_copy);
  close(simulator_copy);
  return problem;
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

/* Send the mode to a gateway and receive its answer. Returns NULL or an error. */
static const char *ask(Robot *robot, Connection *connection, int mode, const char *arg) {
  Buffer out = {0};
  const size_t size = sizeof(int32_t) + strlen(arg) + 1;
  put_i32(&out, (int32_t)(8 + BLOCK_HEAD + size));
  put_u32(&out, 0);
  put_u16(&out, MODE_BLOCK);
  put_i32(&out, (int32_t)size);
  put_i32(&out, mode);
  put_text(&out, arg);
  const char *problem = connection_send(connection, out.data, out.size);
  buffer_free(&out);
  do {
    if (!problem) problem = connection_receive(connection, &robot->packet);
    if (!problem) problem = robot_take(robot, robot->packet.data.data, robot->packet.data.size);
  } while (!problem && robot->packet.delay == UNASKED);
  return problem;
}

/* Insert the gateway between controller and simulator. */
static void step_aside(Robot *robot, Connection *connection, pid_t gateway) {
  connection_free(robot->connection);
  robot->connection = connection;
  watch(robot, gateway);
}

/* Start a gateway and request remote control. Returns the connection to it, or NULL with a reason. */
static Connection *start_gateway(Robot *robot, const char *arg, pid_t *program, const char **problem) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
    *problem = strerror(errno);
    return NULL;
  }
  const int failed = start_program(ends[1], robot->connection->socket, robot->connection->tcp, program);
  close(ends[1]);
  if (failed) {
    close(ends[0]);
    *problem = strerror(failed);
    return NULL;
  }
  Connection *connection = allocate(sizeof *connection);
  *connection = (Connection){.socket = ends[0], .tcp = robot->connection->tcp};
  send_configuration(robot, connection);
  *problem = ask(robot, connection, WB_MODE_REMOTE_CONTROL, arg);
  return connection;
}

/* End a gateway that has returned to simulation, or never left it. */
static void end_gateway(Connection *connection, pid_t program) {
  if (!connection) return;
  connection_free(connection);
  waitpid(program, NULL, 0);
}

void gateway_lost(Robot *robot) {
  if (!robot->has_gateway || robot->mode != WB_MODE_REMOTE_CONTROL || robot->quitting || !robot->connection)
    return;
  robot->mode = WB_MODE_SIMULATION;
  fputs("Remote control: its process has ended or hangs; stopping the robot\n", stderr);
  if (robot->gateway > 0) {
    kill(robot->gateway, SIGKILL);
    waitpid(robot->gateway, NULL, 0);
  }
  pid_t program = 0;
  const char *problem = NULL;
  Connection *connection = start_gateway(robot, robot->place ? robot->place : "", &program, &problem);
  if (connection && !problem) ask(robot, connection, WB_MODE_SIMULATION, "");
  end_gateway(connection, program);
}

static void start(Robot *robot, const char *arg) {
  pid_t program = 0;
  const char *problem = NULL;
  Connection *connection = start_gateway(robot, arg, &program, &problem);
  if (connection && robot->mode == WB_MODE_REMOTE_CONTROL) {
    step_aside(robot, connection, program);
    return;
  }
  end_gateway(connection, program);
  if (problem)
    report_error(FUNCTION,
                 "cannot run the remote control: it needs Python with wbridge, which WBRIDGE_PYTHON can name "
                 "(%s); the robot stays in simulation.",
                 problem);
}

void gateway_set_mode(Robot *robot, int mode, const char *arg) {
  if (mode == robot->mode && mode == WB_MODE_SIMULATION)
    return; /* remote control may switch to another robot */
  if (mode == WB_MODE_REMOTE_CONTROL && *arg) keep_text(&robot->place, arg);
  if (robot->has_gateway) {
    if (ask(robot, robot->connection, mode, arg)) {
      gateway_lost(robot);
      robot_close(robot);
      fputs("Lost the simulator: the gateway for remote control has ended\n", stderr);
      exit(1);
    }
  } else
    start(robot, arg);
  if (robot->mode == WB_MODE_REMOTE_CONTROL) robot_resend_lasting(robot);
}
