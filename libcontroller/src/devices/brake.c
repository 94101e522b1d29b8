/* A brake, which adds damping to a joint. */
#include <webots/brake.h>

#include "../generated/brake_codec.h"
#include "../generated/messages.h"
#include "joint_device.h"

typedef struct {
  JointDevice joint;
} Brake;

/* One byte of flags defines what follows. */
static void flush(Device *device, Buffer *out) {
  unsigned bits = 0;
  for (const Command *one = device->commands; one < device->commands + device->command_count; ++one)
    bits |= one->waits ? (unsigned)one->code : 0;
  put_u8(out, bits);
  for (Command *one = device->commands; one < device->commands + device->command_count; ++one) {
    if (one->waits) put(out, one->payload.data, one->payload.size);
    one->waits = false;
  }
}

void wb_brake_set_damping_constant(WbDeviceTag tag, double damping_constant) {
  Brake *self = device_find(tag, &brake_kind, __func__);
  if (!self || is_nan(__func__, "damping_constant", damping_constant)) return;
  if (damping_constant < 0)
    report_error(__func__, MESSAGE_NEGATIVE_DAMPING);
  else
    put_f64(device_command(&self->joint.base, BRAKE_SET_DAMPING_CONSTANT), damping_constant);
}

#include "../generated/brake.h"
