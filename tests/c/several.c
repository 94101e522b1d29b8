/* Two robots of one process; the two sockets in its arguments lead to their simulators.

   While the first robot waits for an answer, the second makes its own calls, as when a scheduler switches
   between controllers. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <webots/distance_sensor.h>
#include <webots/motor.h>
#include <webots/robot.h>

#include "robot.h"

#define HEAD 8

typedef struct {
  int file;
  void (*meanwhile)(void); /* called once in the next wait */
} Peer;

static Peer peers[2];
static Robot *robots[2];
static int ended = -1;

static void keep_end(int code) { ended = code; }
static void write_line(const char *line) { printf("%s: %s\n", robot_current()->name, line); }

static const char *send_whole(void *context, const void *data, size_t size) {
  return write(((Peer *)context)->file, data, size) == (ssize_t)size ? NULL : "it does not read";
}

static const char *receive_whole(void *context, Buffer *answer) {
  Peer *peer = context;
  void (*meanwhile)(void) = peer->meanwhile;
  peer->meanwhile = NULL;
  if (meanwhile) meanwhile();
  unsigned char bytes[512];
  const ssize_t size = read(peer->file, bytes, sizeof bytes);
  if (size <= 0) return "it has ended";
  put(answer, bytes, (size_t)size);
  return NULL;
}

static void end(void *context) { close(((Peer *)context)->file); }

static void begin(int which) {
  Connection *connection = allocate(sizeof *connection);
  connection->calls = (Calls){send_whole, receive_whole, end, &peers[which]};
  if (!robot_begin(connection)) exit(9);
  robots[which] = robot_current();
}

static void run_second(void) {
  robot_make_current(robots[1]);
  wb_motor_set_velocity(1, NAN);
  wb_distance_sensor_enable(2, 16);
  for (int i = 0; i < 3; ++i) printf("%s %d\n", wb_robot_get_name(), wb_robot_step(16));
  printf("%s %g %g\n", wb_robot_get_name(), wb_distance_sensor_get_value(2), wb_robot_get_time());
}

int main(int count, char **arguments) {
  if (count < 3) return 9;
  for (int i = 0; i < 2; ++i) peers[i].file = atoi(arguments[i + 1]);
  report_host = (Host){.end = keep_end, .write = write_line};
  begin(0);
  begin(1);
  robot_make_current(robots[0]);
  wb_distance_sensor_enable(2, 32);
  wb_motor_set_velocity(1, NAN);
  peers[0].meanwhile = run_second;
  printf("%s %d\n", wb_robot_get_name(), wb_robot_step(32));
  printf("%s %g %g\n", wb_robot_get_name(), wb_distance_sensor_get_value(2), wb_robot_get_time());

  /* The second simulator ends: its client tells so, the host goes on, and the first one works as before. */
  robot_make_current(robots[1]);
  peers[1].file = -1;
  for (int i = 0; i < 2; ++i) {
    const int answer = wb_robot_step(16);
    printf("%d %d\n", answer, ended);
  }
  wb_robot_cleanup();
  robot_make_current(robots[0]);
  for (int i = 0; i < 12; ++i) wb_motor_set_velocity(1, NAN);
  printf("%s %d\n", wb_robot_get_name(), wb_robot_step(32));
  wb_robot_cleanup();
  return 0;
}
