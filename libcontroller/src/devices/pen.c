/* A pen, which draws on the ground. */
#include <webots/pen.h>

#include "../device.h"
#include "../generated/messages.h"
#include "../generated/pen_codec.h"

typedef struct {
  Device base;
} Pen;

void wb_pen_write(WbDeviceTag tag, bool write) {
  Pen *self = device_find(tag, &pen_kind, __func__);
  if (!self) return;
  device_replace(&self->base, write ? PEN_LIFT : PEN_WRITE, write ? PEN_WRITE : PEN_LIFT);
}

void wb_pen_set_ink_color(WbDeviceTag tag, int color, double density) {
  Pen *self = device_find(tag, &pen_kind, __func__);
  if (!self) return;
  if (!(0 <= density && density <= 1)) {
    report_error(__func__, MESSAGE_INVALID_DENSITY, number_text(density));
    return;
  }
  Buffer *out = device_command(&self->base, PEN_SET_INK_COLOR);
  for (int shift = 16; shift >= 0; shift -= 8) put_u8(out, (unsigned)color >> shift & 255);
  put_f64(out, density);
}

#include "../generated/pen.h"
