/* Images of a display: the simulator stores them, the controller knows their identifiers. */
#include <stdlib.h>
#include <webots/display.h>

#include "../generated/messages.h"
#include "../image_files.h"
#include "../robot.h"
#include "display.h"

#define LARGEST 32767

void display_take_image(Display *self, Reader *in) {
  read_i32(in); /* identifier */
  const int32_t width = read_i32(in), height = read_i32(in);
  const bool fits = width >= 0 && height >= 0 && width <= LARGEST && height <= LARGEST;
  const size_t size = fits ? 4u * (size_t)width * (size_t)height : 0;
  const unsigned char *pixels = fits ? read_raw(in, size) : NULL;
  if (!fits) in->problem = "an image has an impossible size";
  if (!pixels) return;
  free(self->saved);
  self->saved = allocate(size);
  for (size_t i = 0; i < size; ++i) self->saved[i] = pixels[i];
  self->saved_width = width;
  self->saved_height = height;
}

void display_forget_images(Display *self) {
  while (self->images) {
    DisplayImage *next = self->images->next;
    free(self->images);
    self->images = next;
  }
  free(self->saved);
}

static DisplayImage *keep(Display *self, int width, int height) {
  DisplayImage *made = allocate(sizeof *made);
  *made = (DisplayImage){.next = self->images, .id = ++self->last_id, .width = width, .height = height};
  self->images = made;
  return made;
}

static bool is_known(const Display *self, const char *function, const DisplayImage *image) {
  if (is_null(function, "ir", image)) return false;
  for (const DisplayImage *one = self->images; one; one = one->next) {
    if (one == image) return true;
  }
  report_error(function, MESSAGE_FOREIGN_IMAGE);
  return false;
}

int display_pixel_size(int format) {
  return format == WB_IMAGE_RGB ? 3 : WB_IMAGE_RGB < format && format <= WB_IMAGE_ABGR ? 4 : 0;
}

WbImageRef wb_display_image_new(WbDeviceTag tag, int width, int height, const void *data, int format) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (!self || is_null(__func__, "data", data)) return NULL;
  if (width < 1 || height < 1 || width > LARGEST || height > LARGEST || !display_pixel_size(format)) {
    report_error(__func__, "called with data for %d x %d pixels of format %d.", width, height, format);
    return NULL;
  }
  DisplayImage *image = keep(self, width, height);
  Buffer *out = display_command(self, DISPLAY_IMAGE_NEW);
  put_i32(out, image->id);
  put_u16(out, (unsigned)width);
  put_u16(out, (unsigned)height);
  put_u8(out, (unsigned)format);
  put(out, data, (size_t)display_pixel_size(format) * (size_t)width * (size_t)height);
  return image;
}

WbImageRef wb_display_image_load(WbDeviceTag tag, const char *filename) {
  int width, height;
  unsigned char *pixels;
  if (!device_find(tag, &display_kind, __func__) || is_null(__func__, "filename", filename)) return NULL;
  const char *problem = read_image_file(filename, &width, &height, &pixels);
  if (problem) {
    report_error(__func__, "could not read the image: \"%s\": %s", filename, problem);
    return NULL;
  }
  WbImageRef image = wb_display_image_new(tag, width, height, pixels, WB_IMAGE_RGBA);
  free(pixels);
  return image;
}

WbImageRef wb_display_image_copy(WbDeviceTag tag, int x, int y, int width, int height) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (!self) return NULL;
  if (width < 1 || height < 1 || width > LARGEST || height > LARGEST) {
    report_error(__func__, "called with an image of %d x %d pixels; allowed: 1 to %d.", width, height,
                 LARGEST);
    return NULL;
  }
  DisplayImage *image = keep(self, width, height);
  Buffer *out = display_command(self, DISPLAY_IMAGE_COPY);
  put_i32(out, image->id);
  put_u16(out, (unsigned)x);
  put_u16(out, (unsigned)y);
  put_u16(out, (unsigned)width);
  put_u16(out, (unsigned)height);
  return image;
}

void wb_display_image_paste(WbDeviceTag tag, WbImageRef ir, int x, int y, bool blend) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (!self || !is_known(self, __func__, ir)) return;
  Buffer *out = display_command(self, DISPLAY_IMAGE_PASTE);
  put_i32(out, ir->id);
  put_u16(out, (unsigned)x);
  put_u16(out, (unsigned)y);
  put_u8(out, blend);
}

void wb_display_image_delete(WbDeviceTag tag, WbImageRef ir) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (!self || !is_known(self, __func__, ir)) return;
  put_i32(display_command(self, DISPLAY_IMAGE_DELETE), ir->id);
  DisplayImage **place = &self->images;
  while (*place != ir) place = &(*place)->next;
  *place = ir->next;
  free(ir);
}

void wb_display_image_save(WbDeviceTag tag, WbImageRef ir, const char *filename) {
  Display *self = device_find(tag, &display_kind, __func__);
  if (!self || is_null(__func__, "filename", filename) || (ir && !is_known(self, __func__, ir)) ||
      !robot_may_ask(self->base.robot, __func__))
    return;
  free(self->saved);
  self->saved = NULL;
  put_i32(display_command(self, DISPLAY_IMAGE_SAVE), ir ? ir->id : 0);
  if (!device_exchange(&self->base)) return;
  if (!self->saved) {
    report_error(__func__, "received no image: the display's content is not available.");
    return;
  }
  const char *problem =
      write_image_file(filename, self->saved_width, self->saved_height, self->saved, 4, 100);
  if (problem) report_error(__func__, MESSAGE_UNWRITABLE_IMAGE, filename, problem);
}
