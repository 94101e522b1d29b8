/* The mouse in the 3D view. */
#include <math.h>
#include <webots/mouse.h>

#include "robot.h"

#define MOUSE_PERIOD 36
#define MOUSE_3D 39

void mouse_start(Mouse *mouse) {
  mouse->state = (WbMouseState){.u = NAN, .v = NAN, .x = NAN, .y = NAN, .z = NAN};
}

void mouse_take(Mouse *mouse, Reader *in) {
  WbMouseState *state = &mouse->state;
  state->left = read_bool(in);
  state->middle = read_bool(in);
  state->right = read_bool(in);
  state->u = read_f64(in);
  state->v = read_f64(in);
  state->x = read_f64(in);
  state->y = read_f64(in);
  state->z = read_f64(in);
}

void wb_mouse_enable(int sampling_period) {
  Robot *robot = robot_current();
  input_enable(robot, MOUSE_PERIOD, &robot->mouse.period, sampling_period, __func__);
}

void wb_mouse_disable(void) { wb_mouse_enable(0); }

int wb_mouse_get_sampling_period(void) { return robot_current()->mouse.period; }

WbMouseState wb_mouse_get_state(void) { return robot_current()->mouse.state; }

WbMouseState *wb_mouse_get_state_pointer(void) { return &robot_current()->mouse.state; }

static void find_position(bool on) {
  Robot *robot = robot_current();
  robot->mouse.with_position = on;
  put_u8(robot_command(robot, MOUSE_3D), on);
}

void wb_mouse_enable_3d_position(void) { find_position(true); }

void wb_mouse_disable_3d_position(void) { find_position(false); }

bool wb_mouse_is_3d_position_enabled(void) { return robot_current()->mouse.with_position; }
