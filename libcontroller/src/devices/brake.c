/* A brake, which adds damping to a joint. */
#include <webots/brake.h>
#include <webots/nodes.h>

#include "../generated/messages.h"
#include "joint_device.h"

#define DAMPING 2
#define SIBLING 4

typedef struct {
  JointDevice joint;
} Brake;

static bool take(Device *device, unsigned code, Reader *in) {
  Brake *self = (Brake *)device;
  if (code == CONSTANTS)
    self->joint.type = read_i32(in);
  else if (code == SIBLING)
    self->joint.sibling = read_u16(in);
  else
    return false;
  return true;
}

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

const Kind brake_kind = {
    .class_name = "Brake", .size = sizeof(Brake), .take = take, .flush = flush, .lasting = 1u << DAMPING};

void wb_brake_set_damping_constant(WbDeviceTag tag, double damping_constant) {
  Brake *self = device_find(tag, &brake_kind, __func__);
  if (!self || is_nan(__func__, "damping_constant", damping_constant)) return;
  if (damping_constant < 0)
    report_error(__func__, MESSAGE_NEGATIVE_DAMPING);
  else
    put_f64(device_command(&self->joint.base, DAMPING), damping_constant);
}

WbDeviceTag wb_brake_get_motor(WbDeviceTag tag) {
  Brake *self = device_find(tag, &brake_kind, __func__);
  return self ? find_sibling(&self->joint, SIBLING, WB_NODE_ROTATIONAL_MOTOR, __func__) : 0;
}

WbDeviceTag wb_brake_get_position_sensor(WbDeviceTag tag) {
  Brake *self = device_find(tag, &brake_kind, __func__);
  return self ? find_sibling(&self->joint, SIBLING, WB_NODE_POSITION_SENSOR, __func__) : 0;
}

#include "../generated/brake.h"
