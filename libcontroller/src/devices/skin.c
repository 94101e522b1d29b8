/* A skin, which deforms a mesh by its bones. */
#include <math.h>
#include <stdlib.h>
#include <webots/skin.h>

#include "../generated/messages.h"
#include "../robot.h"

enum { SET_ORIENTATION = 1, SET_POSITION, GET_ORIENTATION, GET_POSITION };
#define KINDS 8 /* pending commands of bone b have the codes 8 b + 1 to 8 b + 4 */

typedef struct {
  Device base;
  char **bones;
  int bone_count;
  double orientation[4], position[3];
} Skin;

static void forget_bones(Skin *self) {
  for (int i = 0; i < self->bone_count; ++i) free(self->bones[i]);
  free(self->bones);
}

static bool take(Device *device, unsigned code, Reader *in) {
  Skin *self = (Skin *)device;
  if (code == CONSTANTS) {
    forget_bones(self);
    self->bone_count = read_count(in, 1);
    self->bones = allocate(sizeof *self->bones * (size_t)self->bone_count);
    for (int i = 0; i < self->bone_count; ++i) read_kept_text(in, &self->bones[i]);
  } else if (code == GET_ORIENTATION)
    read_f64s(in, self->orientation, 4);
  else if (code == GET_POSITION)
    read_f64s(in, self->position, 3);
  else
    return false;
  return true;
}

static void start(Device *device) {
  Skin *self = (Skin *)device;
  for (int i = 0; i < 4; ++i) self->orientation[i] = NAN;
  for (int i = 0; i < 3; ++i) self->position[i] = NAN;
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

const Kind skin_kind = {
    .class_name = "Skin", .size = sizeof(Skin), .start = start, .take = take, .flush = flush, .end = end};

/* The skin with a tag, if it has the bone; else NULL. */
static Skin *with_bone(WbDeviceTag tag, int index, const char *function) {
  Skin *self = device_find(tag, &skin_kind, function);
  if (!self || (0 <= index && index < self->bone_count)) return self;
  report_error(function, MESSAGE_INVALID_BONE, index, self->bone_count);
  return NULL;
}

int wb_skin_get_bone_count(WbDeviceTag tag) {
  const Skin *self = device_find(tag, &skin_kind, __func__);
  return self ? self->bone_count : 0;
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
  return self && ask(self, GET_ORIENTATION, index, absolute, __func__) ? self->orientation : NULL;
}

const double *wb_skin_get_bone_position(WbDeviceTag tag, int index, bool absolute) {
  Skin *self = with_bone(tag, index, __func__);
  return self && ask(self, GET_POSITION, index, absolute, __func__) ? self->position : NULL;
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
    set(self, SET_ORIENTATION, index, orientation, 4, absolute, __func__);
}

void wb_skin_set_bone_position(WbDeviceTag tag, int index, const double position[3], bool absolute) {
  Skin *self = with_bone(tag, index, __func__);
  if (self && !is_null(__func__, "position", position))
    set(self, SET_POSITION, index, position, 3, absolute, __func__);
}
