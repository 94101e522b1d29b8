/* A pen, which draws on the ground. */
#include <webots/pen.h>

#include "../device.h"
#include "../generated/messages.h"

#define WRITE 1
#define LIFT 2
#define INK 4

typedef struct {
  Device base;
} Pen;

const Kind pen_kind = {
    .class_name = "Pen", .size = sizeof(Pen), .lasting = 1u << WRITE | 1u << LIFT | 1u << INK};

void wb_pen_write(WbDeviceTag tag, bool write) {
  Pen *self = device_find(tag, &pen_kind, __func__);
  if (!self) return;
  device_cancel(&self->base, write ? LIFT : WRITE);
  device_command(&self->base, write ? WRITE : LIFT);
}

void wb_pen_set_ink_color(WbDeviceTag tag, int color, double density) {
  Pen *self = device_find(tag, &pen_kind, __func__);
  if (!self) return;
  if (!(0 <= density && density <= 1)) {
    report_error(__func__, MESSAGE_INVALID_DENSITY, number_text(density));
    return;
  }
  Buffer *out = device_command(&self->base, INK);
  for (int shift = 16; shift >= 0; shift -= 8) put_u8(out, (unsigned)color >> shift & 255);
  put_f64(out, density);
}
