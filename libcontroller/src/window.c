/* Messages to and from the robot window, and to the simulator's console. */
#include <stdlib.h>
#include <string.h>
#include <webots/console.h>
#include <webots/plugins/robot_window/default.h>

#include "robot.h"

#define CONSOLE 30
#define TO_WINDOW 81

static void add_message(Window *window, const char *text, size_t size) {
  WindowMessage *made = allocate(sizeof *made + size + 1);
  made->size = size;
  memcpy(made->text, text, size);
  if (window->last)
    window->last->next = made;
  else
    window->received = made;
  window->last = made;
}

void window_take(Window *window, Reader *in) {
  size_t size;
  const char *data = (const char *)read_bytes32(in, &size);
  const char *end = data ? data + size : NULL;
  while (data < end) { /* separated by NUL bytes */
    const char *stop = memchr(data, 0, (size_t)(end - data));
    stop = stop ? stop : end;
    if (stop > data) add_message(window, data, (size_t)(stop - data));
    data = stop + 1;
  }
}

void window_end(Window *window) {
  while (window->received) {
    WindowMessage *next = window->received->next;
    free(window->received);
    window->received = next;
  }
  free(window->read);
}

const char *wb_robot_wwi_receive(int *size) {
  Window *window = &robot_current()->window;
  WindowMessage *first = window->received;
  free(window->read);
  window->read = first;
  if (first) window->received = first->next;
  if (!window->received) window->last = NULL;
  if (size) *size = first ? (int)first->size : 0;
  return first ? first->text : NULL;
}

const char *wb_robot_wwi_receive_text(void) { return wb_robot_wwi_receive(NULL); }

void wb_robot_wwi_send(const char *data, int size) {
  if (size < 0) {
    report_error(__func__, "called with a size of %d bytes; allowed: 0 or more.", size);
    return;
  }
  if (size > 0 && is_null(__func__, "data", data)) return;
  put_bytes32(robot_queue(robot_current(), TO_WINDOW), data, (size_t)size);
}

void wb_robot_wwi_send_text(const char *text) {
  if (!is_null(__func__, "text", text)) wb_robot_wwi_send(text, (int)strlen(text) + 1);
}

void wb_console_print(const char *text, int stream) {
  if (is_null(__func__, "text", text)) return;
  Buffer *out = robot_queue(robot_current(), CONSOLE);
  put_u8(out, stream == WB_STDERR ? WB_STDERR : WB_STDOUT);
  put_lstr32(out, text);
}
