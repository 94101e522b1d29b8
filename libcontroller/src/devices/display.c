/* A display: drawing commands. */
#include "display.h"

#include <math.h>
#include <string.h>
#include <webots/display.h>

#include "../generated/camera_codec.h"
#include "../generated/messages.h"

#define LARGEST_FONT 10000
#define MOST_POINTS 32767

static void take_image(Display *self, Reader *in) { display_take_image(self, in); }

static void flush(Device *device, Buffer *out) {
  Display *self = (Display *)device;
  put(out, self->cameras.data, self->cameras.size);
  put(out, self->commands.data, self->commands.size);
  self->cameras.size = self->commands.size = 0;
}

static void end(Device *device) {
  Display *self = (Display *)device;
  display_forget_images(self);
  buffer_free(&self->cameras);
  buffer_free(&self->commands);
}

Buffer *display_command(Display *self, unsigned code) {
  Buffer *out =
      code == DISPLAY_ATTACH_CAMERA || code == DISPLAY_DETACH_CAMERA ? &self->cameras : &self->commands;
  put_u8(out, code);
  device_wait(&self->base);
  return out;
}

static bool is_share(const char *function, const char *name, double value) {
  if (0 <= value && value <= 1) return true;
  report_error(function, MESSAGE_INVALID_SETTING, name, number_text(value), "0 to 1");
  return false;
}

/* The same for integers. */
static bool is_within(const char *function, const char *name, int value, int low, int high) {
  if (low <= value && value <= high) return true;
  report_error(function, MESSAGE_OUT_OF_RANGE, name, value, low, high);
  return false;
}

void wb_display_set_color(WbDeviceTag tag, int color) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (self && is_within(__func__, "color", color, 0, 0xFFFFFF))
    put_i32(display_command(self, DISPLAY_SET_COLOR), color);
}

void wb_display_set_alpha(WbDeviceTag tag, double alpha) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (self && is_share(__func__, "alpha", alpha))
    put_u8(display_command(self, DISPLAY_SET_ALPHA), (unsigned)(alpha * 255));
}

void wb_display_set_opacity(WbDeviceTag tag, double opacity) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (self && is_share(__func__, "opacity", opacity))
    put_u8(display_command(self, DISPLAY_SET_OPACITY), (unsigned)(opacity * 255));
}

void wb_display_set_font(WbDeviceTag tag, const char *font, int size, bool anti_aliasing) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (!self || is_null(__func__, "font", font) || !is_within(__func__, "size", size, 1, LARGEST_FONT)) return;
  if (strlen(font) > LONGEST_TEXT) {
    report_error(__func__, MESSAGE_LONG_NAME, strlen(font), LONGEST_TEXT);
    return;
  }
  Buffer *out = display_command(self, DISPLAY_SET_FONT);
  put_u32(out, (uint32_t)size);
  put_u8(out, anti_aliasing);
  put_lstr16(out, font);
}

void wb_display_attach_camera(WbDeviceTag tag, WbDeviceTag camera_tag) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (self && !camera_tag) report_error(__func__, MESSAGE_MISSING_OBJECT, "camera");
  if (self && camera_tag && device_find(camera_tag, &camera_kind, __func__))
    put_u16(display_command(self, DISPLAY_ATTACH_CAMERA), camera_tag);
}

void wb_display_detach_camera(WbDeviceTag tag) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (self) display_command(self, DISPLAY_DETACH_CAMERA);
}

/* Shapes: a count, that many x and that many y. */

static Buffer *command_points(Display *self, unsigned code, int count, const int *x, const int *y) {
  Buffer *out = display_command(self, code);
  put_u16(out, (unsigned)count);
  for (int i = 0; i < count; ++i) put_i32(out, x[i]);
  for (int i = 0; i < count; ++i) put_i32(out, y[i]);
  return out;
}

void wb_display_draw_pixel(WbDeviceTag tag, int x, int y) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (self) command_points(self, DISPLAY_DRAW_PIXEL, 1, &x, &y);
}

void wb_display_draw_line(WbDeviceTag tag, int x1, int y1, int x2, int y2) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (self) command_points(self, DISPLAY_DRAW_LINE, 2, (int[]){x1, x2}, (int[]){y1, y2});
}

void wb_display_draw_text(WbDeviceTag tag, const char *txt, int x, int y) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (self && !is_null(__func__, "txt", txt))
    put_text(command_points(self, DISPLAY_DRAW_TEXT, 1, &x, &y), txt);
}

/* A shape within a rectangle, or around a center. */
static void shape(WbDeviceTag tag, unsigned code, const int place[2], const int size[2], bool fill,
                  const char *function) {
  Display *self = device_find(tag, &display_kind, function);
  if (!self) return;
  if (size[0] < 1 || size[1] < 1) {
    report_error(function, MESSAGE_INVALID_SIZE, size[0], size[1]);
    return;
  }
  put_u8(command_points(self, code, 2, (int[]){place[0], size[0]}, (int[]){place[1], size[1]}), fill);
}

void wb_display_draw_rectangle(WbDeviceTag tag, int x, int y, int width, int height) {
  shape(tag, DISPLAY_DRAW_RECTANGLE, (int[]){x, y}, (int[]){width, height}, false, __func__);
}

void wb_display_fill_rectangle(WbDeviceTag tag, int x, int y, int width, int height) {
  shape(tag, DISPLAY_DRAW_RECTANGLE, (int[]){x, y}, (int[]){width, height}, true, __func__);
}

void wb_display_draw_oval(WbDeviceTag tag, int cx, int cy, int a, int b) {
  shape(tag, DISPLAY_DRAW_OVAL, (int[]){cx, cy}, (int[]){a, b}, false, __func__);
}

void wb_display_fill_oval(WbDeviceTag tag, int cx, int cy, int a, int b) {
  shape(tag, DISPLAY_DRAW_OVAL, (int[]){cx, cy}, (int[]){a, b}, true, __func__);
}

static void polygon(WbDeviceTag tag, const int *x, const int *y, int size, bool fill, const char *function) {
  Display *self = device_find(tag, &display_kind, function);
  if (!self || is_null(function, "x", x) || is_null(function, "y", y)) return;
  if (size < 1 || size > MOST_POINTS)
    report_error(function, "called with %d points; allowed: 1 to %d.", size, MOST_POINTS);
  else
    put_u8(command_points(self, DISPLAY_DRAW_POLYGON, size, x, y), fill);
}

void wb_display_draw_polygon(WbDeviceTag tag, const int *x, const int *y, int size) {
  polygon(tag, x, y, size, false, __func__);
}

void wb_display_fill_polygon(WbDeviceTag tag, const int *x, const int *y, int size) {
  polygon(tag, x, y, size, true, __func__);
}

#include "../generated/display.h"
