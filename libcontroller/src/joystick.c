/* The first joystick. */
#include <stdlib.h>
#include <webots/joystick.h>

#include "generated/messages.h"
#include "robot.h"

#define JOYSTICK_PERIOD 35
#define FORCE 41
#define FORCE_DURATION 42
#define CENTERING 43
#define RESISTANCE 44
#define FORCE_AXIS 45
#define NO_BUTTON (-1)

void joystick_start(Joystick *joystick) { joystick->number_of_axes = joystick->number_of_povs = -1; }

void joystick_take(Joystick *joystick, Reader *in) {
  joystick->number_of_axes = read_i32(in);
  joystick->number_of_buttons = read_i32(in);
  joystick->number_of_povs = read_i32(in);
  if (joystick->number_of_axes >= 0)
    read_kept_text(in, &joystick->model);
  else
    keep_text(&joystick->model, "");
}

static void take_numbers(Numbers *numbers, Reader *in) {
  numbers->count = read_count(in, sizeof *numbers->items);
  numbers->items = reallocate(numbers->items, sizeof *numbers->items * (size_t)numbers->count);
  for (int i = 0; i < numbers->count; ++i) numbers->items[i] = read_i32(in);
}

void joystick_take_state(Joystick *joystick, Reader *in) {
  joystick->next_button = 0;
  take_numbers(&joystick->buttons, in);
  take_numbers(&joystick->axes, in);
  take_numbers(&joystick->povs, in);
}

void joystick_end(Joystick *joystick) {
  free(joystick->model);
  free(joystick->buttons.items);
  free(joystick->axes.items);
  free(joystick->povs.items);
}

/* The joystick; `function`, which reads or drives it, warns once if it is disabled. */
static Joystick *joystick_for(const char *function) {
  Joystick *joystick = &robot_current()->joystick;
  input_check_enabled(joystick->period, "wb_joystick_enable", function);
  return joystick;
}

void wb_joystick_enable(int sampling_period) {
  Robot *robot = robot_current();
  input_enable(robot, JOYSTICK_PERIOD, &robot->joystick.period, sampling_period, __func__);
}

void wb_joystick_disable(void) { wb_joystick_enable(0); }

int wb_joystick_get_sampling_period(void) { return robot_current()->joystick.period; }

bool wb_joystick_is_connected(void) { return joystick_for(__func__)->number_of_axes > 0; }

const char *wb_joystick_get_model(void) { return robot_current()->joystick.model; }

int wb_joystick_get_number_of_axes(void) { return joystick_for(__func__)->number_of_axes; }

int wb_joystick_get_number_of_povs(void) { return joystick_for(__func__)->number_of_povs; }

static int value(const Numbers *numbers, int index, const char *function) {
  if (0 <= index && index < numbers->count) return numbers->items[index];
  if (robot_current()->joystick.number_of_axes > 0) report_error(function, MESSAGE_INVALID_INDEX, index);
  return 0;
}

int wb_joystick_get_axis_value(int axis) { return value(&joystick_for(__func__)->axes, axis, __func__); }

int wb_joystick_get_pov_value(int pov) { return value(&joystick_for(__func__)->povs, pov, __func__); }

int wb_joystick_get_pressed_button(void) {
  Joystick *joystick = joystick_for(__func__);
  if (joystick->next_button >= joystick->buttons.count) return NO_BUTTON;
  return joystick->buttons.items[joystick->next_button++];
}

void wb_joystick_set_constant_force(int level) {
  joystick_for(__func__);
  put_u16(robot_command(robot_current(), FORCE), (unsigned)level & MAX_PERIOD);
}

void wb_joystick_set_constant_force_duration(double duration) {
  joystick_for(__func__);
  if (!is_nan(__func__, "duration", duration))
    put_f64(robot_command(robot_current(), FORCE_DURATION), duration);
}

void wb_joystick_set_auto_centering_gain(double gain) {
  if (!is_nan(__func__, "gain", gain)) put_f64(robot_command(robot_current(), CENTERING), gain);
}

void wb_joystick_set_resistance_gain(double gain) {
  if (!is_nan(__func__, "gain", gain)) put_f64(robot_command(robot_current(), RESISTANCE), gain);
}

void wb_joystick_set_force_axis(int axis) { put_i32(robot_command(robot_current(), FORCE_AXIS), axis); }
