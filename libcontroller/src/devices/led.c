/* An LED. */
#include <webots/led.h>

#include "../device.h"

#define SET 1

typedef struct {
  Device base;
  int value;
} LED;

const Kind led_kind = {.class_name = "LED", .size = sizeof(LED), .lasting = 1u << SET};

void wb_led_set(WbDeviceTag tag, int value) {
  LED *self = device_find(tag, &led_kind, __func__);
  if (!self) return;
  self->value = value;
  put_i32(device_command(&self->base, SET), value);
}

int wb_led_get(WbDeviceTag tag) {
  const LED *self = device_find(tag, &led_kind, __func__);
  return self ? self->value : 0;
}
