/* An LED. */
#include <webots/led.h>

#include "../device.h"
#include "../generated/led_codec.h"

typedef struct {
  Device base;
  int value;
} LED;

void wb_led_set(WbDeviceTag tag, int value) {
  LED *self = device_find(tag, &led_kind, __func__);
  if (!self) return;
  self->value = value;
  put_i32(device_command(&self->base, LED_SET), value);
}

#include "../generated/led.h"
