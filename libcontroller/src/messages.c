/* Messages from the simulator to the robot node. */
#include "robot.h"
#include "supervisor/scene.h"
#include "window_plugin.h"

typedef struct {
  unsigned code;
  void (*take)(Robot *robot, Reader *in);
} Message;

static void take_quit(Robot *robot, Reader *in) {
  (void)in;
  robot->quitting = true;
}

static void take_joystick(Robot *robot, Reader *in) { joystick_take(&robot->joystick, in); }

/* A decrease means that the simulation was reset. */
void robot_take_time(Robot *robot, double time) {
  const bool is_reset = time < robot->time;
  robot->time = time;
  if (!is_reset) return;
  for (int tag = 1; tag < robot->device_count; ++tag) {
    Device *device = robot->devices[tag];
    if (device && device->kind->drop_packets) device->kind->drop_packets(device);
  }
  scene_forget_values(robot);
}

static void take_time(Robot *robot, Reader *in) { robot_take_time(robot, read_f64(in)); }

static void take_battery(Robot *robot, Reader *in) { robot->battery = read_f64(in); }

static void take_keys(Robot *robot, Reader *in) { keyboard_take(&robot->keyboard, in); }

static void take_joystick_state(Robot *robot, Reader *in) { joystick_take_state(&robot->joystick, in); }

static void take_mouse(Robot *robot, Reader *in) { mouse_take(&robot->mouse, in); }

static void take_nothing(Robot *robot, Reader *in) {
  (void)robot;
  (void)in;
}

static void take_show_window(Robot *robot, Reader *in) {
  (void)in;
  window_plugin_show(robot, true);
}

static void take_simulation_mode(Robot *robot, Reader *in) { robot->simulation_mode = read_i32(in); }

static void take_custom_data(Robot *robot, Reader *in) { read_kept_text(in, &robot->custom_data); }

static void take_supervisor(Robot *robot, Reader *in) { robot->supervisor = read_bool(in); }

static void take_model(Robot *robot, Reader *in) { read_kept_text(in, &robot->model); }

static void take_urdf(Robot *robot, Reader *in) { read_kept_text(in, &robot->urdf); }

static void take_event(Robot *robot, Reader *in) {
  robot->events = read_i32(in);
  robot->has_event = true;
}

/* Sent by gateways only. */
static void take_mode(Robot *robot, Reader *in) { robot->mode = read_i32(in); }

static void take_from_window(Robot *robot, Reader *in) { window_take(&robot->window, in); }

static const Message MESSAGES[] = {
    {0, robot_take_configure},
    {NEW_DEVICES, robot_take_new_devices},
    {2, take_quit},
    {3, take_joystick},
    {4, take_time},
    {5, take_battery},
    {6, take_keys},
    {7, take_joystick_state},
    {8, take_mouse},
    {9, take_show_window},
    {10, take_simulation_mode},
    {11, take_custom_data},
    {12, take_supervisor},
    {13, take_model},
    {14, take_nothing},
    {46, take_urdf},
    {80, take_event},
    {81, take_from_window},
    {254, take_mode},
};

bool robot_take_message(Robot *robot, unsigned code, Reader *in) {
  for (size_t i = 0; i < sizeof MESSAGES / sizeof *MESSAGES; ++i) {
    if (MESSAGES[i].code == code) {
      MESSAGES[i].take(robot, in);
      return true;
    }
  }
  return scene_take(robot, code, in);
}
