/* Display: the picture is in the board's memory, and the driver sends what has changed. A pixel is lit if the
 * luminance of its color, 0.299 red + 0.587 green + 0.114 blue, times its alpha, is at least half of white's.
 */
#include "wb_display.h"

#include <stddef.h>
#include <webots/display.h>

#include "canvas.h"
#include "devices.h"
#include "figures.h"
#include "font.h"
#include "messages.h"
#include "text.h"

#define FULL 255
#define THRESHOLD (500ul * FULL * FULL) /* half of white: 1000 * 255 with an alpha of 255 */

static uint32_t luminance = 1000ul * FULL;
static uint8_t alpha = FULL;
static uint8_t chosen; /* index of the font */

static bool is_display(WbDeviceTag tag) { return device_index(tag, DEVICE_DISPLAY) != NO_DEVICE; }

static bool is_lit(void) { return luminance * alpha >= THRESHOLD; }

int wb_display_get_width(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_DISPLAY);
  return index == NO_DEVICE ? -1 : display_table[index].width;
}

int wb_display_get_height(WbDeviceTag tag) {
  const uint8_t index = device_index(tag, DEVICE_DISPLAY);
  return index == NO_DEVICE ? -1 : display_table[index].height;
}

void wb_display_set_color(WbDeviceTag tag, int color) {
  const uint32_t rgb = (uint32_t)(int32_t)color;
  if (is_display(tag)) luminance = 299 * (rgb >> 16 & FULL) + 587 * (rgb >> 8 & FULL) + 114 * (rgb & FULL);
}

void wb_display_set_alpha(WbDeviceTag tag, double value) {
  if (is_display(tag) && value >= 0 && value <= 1) alpha = (uint8_t)(value * FULL);
}

static bool is_named(const FLASH char *name, const char *wanted) {
  for (; *name != 0 && *name == *wanted; name++) wanted++;
  return *name == *wanted;
}

void wb_display_set_font(WbDeviceTag tag, const char *name, int size, bool anti_aliasing) {
  if (!is_display(tag)) return;
  for (uint8_t k = 0; k != DISPLAY_FONTS; k++)
    if ((int)fonts[k].size == size && fonts[k].is_smooth == anti_aliasing && is_named(fonts[k].name, name)) {
      chosen = k;
      return;
    }
  PRINT(MESSAGE_UNKNOWN_FONT "\n");
}

void wb_display_draw_pixel(WbDeviceTag tag, int x, int y) {
  if (!is_display(tag)) return;
  const int16_t column = figure_near(x), row = figure_near(y);
  canvas_bar(column, row, column, row, is_lit());
}

void wb_display_draw_line(WbDeviceTag tag, int x1, int y1, int x2, int y2) {
  if (is_display(tag))
    figure_line(figure_near(x1), figure_near(y1), figure_near(x2), figure_near(y2), is_lit());
}

/* The last coordinate of a side. */
static int16_t end_of(int16_t first, int size) { return (int16_t)(first + figure_near(size) - 1); }

static void rectangle(WbDeviceTag tag, int x, int y, int width, int height, bool fill) {
  if (!is_display(tag) || width < 1 || height < 1) return;
  const int16_t left = figure_near(x), top = figure_near(y);
  const int16_t right = end_of(left, width), bottom = end_of(top, height);
  const bool lit = is_lit();
  if (fill) {
    canvas_bar(left, top, right, bottom, lit);
    return;
  }
  canvas_bar(left, top, right, top, lit);
  canvas_bar(left, bottom, right, bottom, lit);
  canvas_bar(left, top, left, bottom, lit);
  canvas_bar(right, top, right, bottom, lit);
}

void wb_display_draw_rectangle(WbDeviceTag tag, int x, int y, int width, int height) {
  rectangle(tag, x, y, width, height, false);
}

void wb_display_fill_rectangle(WbDeviceTag tag, int x, int y, int width, int height) {
  rectangle(tag, x, y, width, height, true);
}

static void oval(WbDeviceTag tag, int x, int y, int a, int b, bool fill) {
  if (is_display(tag) && a >= 1 && b >= 1)
    figure_oval(figure_near(x), figure_near(y), figure_near(a), figure_near(b), fill, is_lit());
}

void wb_display_draw_oval(WbDeviceTag tag, int x, int y, int a, int b) { oval(tag, x, y, a, b, false); }

void wb_display_fill_oval(WbDeviceTag tag, int x, int y, int a, int b) { oval(tag, x, y, a, b, true); }

static void polygon(WbDeviceTag tag, const int *x, const int *y, int size, bool fill) {
  if (is_display(tag) && size > 0 && !figure_polygon(x, y, size, fill, is_lit()))
    PRINT("wbridge: a polygon has too many edges side by side\n");
}

void wb_display_draw_polygon(WbDeviceTag tag, const int *x, const int *y, int size) {
  if (x == NULL || y == NULL)
    REPORT_NULL("wb_display_draw_polygon");
  else
    polygon(tag, x, y, size, false);
}

void wb_display_fill_polygon(WbDeviceTag tag, const int *x, const int *y, int size) {
  if (x == NULL || y == NULL)
    REPORT_NULL("wb_display_fill_polygon");
  else
    polygon(tag, x, y, size, true);
}

void wb_display_draw_text(WbDeviceTag tag, const char *text, int x, int y) {
  if (!is_display(tag)) return;
  if (text == NULL) {
    REPORT_NULL("wb_display_draw_text");
    return;
  }
  if (!font_draw(&fonts[chosen], text, figure_near(x), figure_near(y), is_lit()))
    PRINT(MESSAGE_UNKNOWN_CHARACTERS "\n");
}
