/* Names, paths, modes, battery and custom data of the robot: the functions wb_robot_... */
#include "robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webots/robot.h>

#include "gateway.h"
#include "generated/messages.h"

#define CUSTOM_DATA 37
#define PIN 40
#define URDF 46
#define WAIT 80
#define ALL_EVENTS 63
#define LONGEST_ARGUMENTS 4096
#define MOST_NAMED 10 /* maximum number of devices that a message lists */

static void put_names(Buffer *text, const char *const *names, int count) {
  static const char HEAD[] = "; it has ", NONE[] = "none", MORE[] = ", ...";
  put(text, HEAD, strlen(HEAD));
  if (!count) put(text, NONE, strlen(NONE));
  for (int i = 0; i < count && i < MOST_NAMED; ++i) {
    put(text, ", ", i ? 2 : 0);
    put(text, "\"", 1);
    put(text, names[i], strlen(names[i]));
    put(text, "\"", 1);
  }
  if (count > MOST_NAMED) put(text, MORE, strlen(MORE));
  put(text, ".", 1);
}

/* A message suffix with the most similar name, or else the first names. Free the result. */
static char *hint(const char *name, const char *const *names, int count) {
  Buffer text = {0};
  const char *found = closest(name, names, count);
  put(&text, found, strlen(found));
  if (!*found) put_names(&text, names, count);
  put_u8(&text, 0);
  return (char *)text.data;
}

static void tell_unknown(const Robot *robot, const char *function, const char *name) {
  const char **names = allocate(sizeof *names * (size_t)robot->device_count);
  int count = 0;
  for (int tag = 1; tag < robot->device_count; ++tag) {
    if (robot->devices[tag]) names[count++] = robot->devices[tag]->name;
  }
  char *end = hint(name, names, count);
  report_error(function, MESSAGE_UNKNOWN_DEVICE, name, end);
  free(end);
  free(names);
}

WbDeviceTag wb_robot_get_device(const char *name) {
  if (is_null(__func__, "name", name)) return 0;
  const Robot *robot = robot_current();
  for (int tag = 1; tag < robot->device_count; ++tag) {
    if (robot->devices[tag] && !strcmp(robot->devices[tag]->name, name)) return (WbDeviceTag)tag;
  }
  tell_unknown(robot, __func__, name);
  return 0;
}

WbDeviceTag wb_robot_get_device_by_index(int index) {
  const int count = wb_robot_get_number_of_devices();
  if (0 <= index && index < count) return (WbDeviceTag)(index + 1);
  report_error(__func__, MESSAGE_INVALID_DEVICE_INDEX, index, count - 1);
  return 0;
}

int wb_robot_get_number_of_devices(void) { return robot_current()->device_count - 1; }

const char *wb_robot_get_name(void) { return robot_current()->name; }

const char *wb_robot_get_model(void) { return robot_current()->model; }

double wb_robot_get_time(void) { return robot_current()->time; }

double wb_robot_get_basic_time_step(void) { return robot_current()->basic_time_step; }

const char *wb_robot_get_project_path(void) { return robot_current()->project_path; }

const char *wb_robot_get_world_path(void) { return robot_current()->world_path; }

const char *wb_robot_get_controller_name(void) { return robot_current()->controller; }

/* Those of the program, without its name. */
static void keep_arguments(Robot *robot) {
  char arguments[LONGEST_ARGUMENTS];
  FILE *file = fopen("/proc/self/cmdline", "rb");
  const size_t size = file ? fread(arguments, 1, sizeof arguments - 1, file) : 0;
  if (file) fclose(file);
  arguments[size] = '\0';
  for (size_t i = 0; i + 1 < size; ++i) arguments[i] = arguments[i] ? arguments[i] : ' ';
  const char *first = strchr(arguments, ' ');
  keep_text(&robot->arguments, first ? first + 1 : "");
}

const char *wb_robot_get_controller_arguments(void) {
  Robot *robot = robot_current();
  if (!robot->arguments) keep_arguments(robot);
  return robot->arguments;
}

bool wb_robot_get_supervisor(void) { return robot_current()->supervisor; }

bool wb_robot_get_synchronization(void) { return robot_current()->synchronization; }

WbNodeType wb_robot_get_type(void) { return WB_NODE_ROBOT; }

const char *wb_robot_get_custom_data(void) { return robot_current()->custom_data; }

/* True unless, after reporting an error, a string is NULL or too long for the protocol. */
static bool is_text(const char *function, const char *name, const char *text) {
  if (is_null(function, name, text)) return false;
  if (strlen(text) <= LONGEST_TEXT) return true;
  report_error(function, MESSAGE_LONG_TEXT, strlen(text), LONGEST_TEXT);
  return false;
}

void wb_robot_set_custom_data(const char *data) {
  if (!is_text(__func__, "data", data)) return;
  Robot *robot = robot_current();
  put_lstr16(robot_command(robot, CUSTOM_DATA), data);
  keep_text(&robot->custom_data, data);
}

const char *wb_robot_get_urdf(const char *prefix) {
  if (!is_text(__func__, "prefix", prefix)) return "";
  Robot *robot = robot_current();
  keep_text(&robot->urdf, "");
  if (robot_may_ask(robot, __func__)) {
    put_lstr16(robot_command(robot, URDF), prefix);
    robot_exchange(robot);
  }
  return robot->urdf;
}

void wb_robot_pin_to_static_environment(bool pin) { put_u8(robot_command(robot_current(), PIN), pin); }

WbRobotMode wb_robot_get_mode(void) { return (WbRobotMode)robot_current()->mode; }

bool robot_may_set_mode(const Robot *robot, int mode) {
  const char *function = "wb_robot_set_mode";
  if (mode != WB_MODE_SIMULATION && mode != WB_MODE_REMOTE_CONTROL)
    report_error(function, MESSAGE_INVALID_MODE, mode);
  else if (robot->stepping)
    report_error(function, MESSAGE_STEP_NOT_ENDED);
  else
    return true;
  return false;
}

void wb_robot_set_mode(WbRobotMode mode, const char *arg) {
  Robot *robot = robot_current();
  if (robot_may_set_mode(robot, (int)mode)) gateway_set_mode(robot, (int)mode, arg ? arg : "");
}

/* Battery. */

void wb_robot_battery_sensor_enable(int sampling_period) {
  Robot *robot = robot_current();
  if (sampling_period < 0 || sampling_period > MAX_PERIOD) {
    report_error(__func__, MESSAGE_INVALID_BATTERY_PERIOD, sampling_period, MAX_PERIOD);
    return;
  }
  robot->battery_period = sampling_period;
  put_u16(robot_command(robot, BATTERY_PERIOD), (unsigned)sampling_period);
}

void wb_robot_battery_sensor_disable(void) { wb_robot_battery_sensor_enable(0); }

int wb_robot_battery_sensor_get_sampling_period(void) { return robot_current()->battery_period; }

int wb_robot_get_battery_sampling_period(WbDeviceTag tag) {
  (void)tag;
  return wb_robot_battery_sensor_get_sampling_period();
}

double wb_robot_battery_sensor_get_value(void) {
  const Robot *robot = robot_current();
  input_check_enabled(robot->battery_period, "wb_robot_battery_sensor_enable", __func__);
  return robot->battery;
}

/* Events. */

WbUserInputEvent wb_robot_wait_for_user_input_event(WbUserInputEvent event_type, int timeout) {
  Robot *robot = robot_current();
  const int events = (int)event_type;
  if (events < WB_EVENT_NO_EVENT || events > ALL_EVENTS || timeout < 0) {
    report_error(__func__, MESSAGE_INVALID_EVENTS, events, timeout, ALL_EVENTS);
    return WB_EVENT_NO_EVENT;
  }
  if (!robot_may_ask(robot, __func__)) return WB_EVENT_NO_EVENT;
  robot->has_event = false;
  Buffer *out = robot_queue(robot, WAIT);
  put_i32(out, events);
  put_i32(out, timeout);
  const bool going = robot_exchange(robot);
  while (going && !robot->has_event && !robot_is_over(robot)) {
    if (connection_is_left(robot->connection)) return WB_EVENT_NO_EVENT;
    robot_receive(robot);
  }
  return robot->has_event ? (WbUserInputEvent)robot->events : WB_EVENT_QUIT;
}
