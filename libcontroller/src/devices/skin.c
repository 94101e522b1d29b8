/* A skin, which deforms a mesh by its bones. */
#include <math.h>
#include <stdlib.h>
#include <webots/skin.h>

#include "../generated/messages.h"
#include "../generated/skin_codec.h"
#include "../robot.h"

#define KINDS 8 /* pending commands of bone b have the codes 8 b + 1 to 8 b + 4 */

typedef struct {
  Device base;
  char **bones;
  int bone_count;
  SKIN_MEMBERS;
} Skin;

static void forget_bones(Skin *self) {
  for (int i = 0; i < self->bone_count; ++i) free(self->bones[i]);
  free(self->bones);
}

static void read_bones(Skin *self, Reader *in) {
  forget_bones(self);
  self->bone_count = read_count(in, 1);
  self->bones = allocate(sizeof *self->bones * (size_t)self->bone_count);
  for (int i = 0; i < self->bone_count; ++i) read_kept_text(in, &self->bones[i]);
}

static void flush(Device *device, Buffer *out) {
  for (Command *one = device->commands; one < device->commands + device->command_count; ++one) {
    if (one->waits) {
      put_u8(out, (unsigned)one->code % KINDS);
      put(out, one->payload.data, one->payload.size);
    }
    one->waits = false;
  }
}

static void end(Device *device) { forget_bones((Skin *)device); }

/* The skin with a tag, if it has the bone; else NULL. */
static Skin *with_bone(WbDeviceTag tag, int index, const char *function) {
  Skin *self = device_find(tag, &skin_kind, function);
  if (!self || (0 <= index && index < self->bone_count)) return self;
  report_error(function, MESSAGE_INVALID_BONE, index, self->bone_count);
  return NULL;
}

const char *wb_skin_get_bone_name(WbDeviceTag tag, int index) {
  const Skin *self = with_bone(tag, index, __func__);
  return self ? self->bones[index] : "";
}

static bool ask(Skin *self, int code, int index, bool absolute, const char *function) {
  if (!robot_may_ask(self->base.robot, function)) return false;
  Buffer *out = device_command(&self->base, KINDS * index + code);
  put_u16(out, (unsigned)index);
  put_u8(out, absolute);
  return device_exchange(&self->base);
}

const double *wb_skin_get_bone_orientation(WbDeviceTag tag, int index, bool absolute) {
  Skin *self = with_bone(tag, index, __func__);
  return self && ask(self, SKIN_GET_BONE_ORIENTATION, index, absolute, __func__) ? self->axis_angle : NULL;
}

const double *wb_skin_get_bone_position(WbDeviceTag tag, int index, bool absolute) {
  Skin *self = with_bone(tag, index, __func__);
  return self && ask(self, SKIN_GET_BONE_POSITION, index, absolute, __func__) ? self->position : NULL;
}

static void set(Skin *self, int code, int index, const double *values, int count, bool absolute,
                const char *function) {
  for (int i = 0; i < count; ++i) {
    if (isnan(values[i])) {
      report_error(function, "called with NaN; expected %d numbers.", count);
      return;
    }
  }
  Buffer *out = device_command(&self->base, KINDS * index + code);
  put_u16(out, (unsigned)index);
  put_f64s(out, values, count);
  put_u8(out, absolute);
}

void wb_skin_set_bone_orientation(WbDeviceTag tag, int index, const double orientation[4], bool absolute) {
  Skin *self = with_bone(tag, index, __func__);
  if (self && !is_null(__func__, "orientation", orientation))
    set(self, SKIN_SET_BONE_ORIENTATION, index, orientation, 4, absolute, __func__);
}

void wb_skin_set_bone_position(WbDeviceTag tag, int index, const double position[3], bool absolute) {
  Skin *self = with_bone(tag, index, __func__);
  if (self && !is_null(__func__, "position", position))
    set(self, SKIN_SET_BONE_POSITION, index, position, 3, absolute, __func__);
}

#include "../generated/skin.h"
