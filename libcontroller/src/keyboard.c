/* The keyboard. */
#include <webots/keyboard.h>
#include <webots/robot.h>

#include "generated/messages.h"
#include "robot.h"

#define KEYBOARD_PERIOD 34
#define NO_KEY (-1)

void keyboard_take(Keyboard *keyboard, Reader *in) {
  keyboard->next = 0;
  keyboard->count = (int)read_u8(in);
  for (int i = 0; i < keyboard->count; ++i) keyboard->keys[i] = read_i32(in);
}

void input_enable(Robot *robot, int code, int *period, int wanted, const char *function) {
  if (wanted < 0 || wanted > MAX_PERIOD) {
    report_error(function, MESSAGE_INVALID_INPUT_PERIOD, wanted, MAX_PERIOD);
    return;
  }
  *period = wanted;
  put_u16(robot_command(robot, code), (unsigned)wanted);
}

void input_check_enabled(int period, const char *enable, const char *function) {
  if (period <= 0) report_warning(function, true, MESSAGE_DISABLED_INPUT, enable);
}

void wb_keyboard_enable(int sampling_period) {
  Robot *robot = robot_current();
  input_enable(robot, KEYBOARD_PERIOD, &robot->keyboard.period, sampling_period, __func__);
}

void wb_keyboard_disable(void) { wb_keyboard_enable(0); }

int wb_keyboard_get_sampling_period(void) { return robot_current()->keyboard.period; }

int wb_keyboard_get_key(void) {
  Keyboard *keyboard = &robot_current()->keyboard;
  input_check_enabled(keyboard->period, "wb_keyboard_enable", __func__);
  return keyboard->next < keyboard->count ? keyboard->keys[keyboard->next++] : NO_KEY;
}

/* Names of Webots 8. */

int wb_robot_keyboard_get_key(void) {
  const int key = wb_keyboard_get_key();
  return key > 0 ? key : 0;
}
