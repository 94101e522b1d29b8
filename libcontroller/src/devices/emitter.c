/* An emitter, which sends packets to receivers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <webots/emitter.h>

#include "../generated/emitter_codec.h"
#include "../generated/messages.h"
#include "../robot.h"
#include "channels.h"

/* A pending packet with its channel and range. */
typedef struct Outgoing {
  struct Outgoing *next;
  int channel;
  double range;
  size_t size;
  unsigned char data[];
} Outgoing;

typedef struct {
  Device base;
  EMITTER_MEMBERS;
  Channels allowed;
  Outgoing *first, *last;
  size_t used;
  double budget; /* number of bytes that can be sent now */
} Emitter;

static void start(Device *device) {
  Emitter *self = (Emitter *)device;
  self->buffer_size = UNLIMITED;
  self->bytes_per_ms = self->range = self->max_range = UNLIMITED;
}

static void read_allowed_channels(Emitter *self, Reader *in) { read_channels(in, &self->allowed); }

static void drop_first(Emitter *self) {
  Outgoing *first = self->first;
  self->used -= first->size;
  self->budget -= (double)first->size;
  self->first = first->next;
  if (!self->first) self->last = NULL;
  free(first);
}

/* With a limited baud rate, a packet is sent after its transmission time at the head of the queue. */
static void flush(Device *device, Buffer *out) {
  Emitter *self = (Emitter *)device;
  const bool limited = self->bytes_per_ms >= 0;
  if (limited && self->first) self->budget += self->bytes_per_ms * device->robot->duration;
  while (self->first && !(limited && (double)self->first->size > self->budget)) {
    const Outgoing *one = self->first;
    put_u8(out, EMITTER_SEND);
    put_i32(out, one->channel);
    put_f64(out, one->range);
    put_bytes32(out, one->data, one->size);
    drop_first(self);
  }
  if (self->first) device_wait(device);
  device_flush(device, out);
}

static void drop_packets(Device *device) {
  Emitter *self = (Emitter *)device;
  while (self->first) drop_first(self);
}

static void end(Device *device) {
  Emitter *self = (Emitter *)device;
  drop_packets(device);
  free(self->allowed.items);
}

static void add(Emitter *self, const void *data, size_t size) {
  Outgoing *made = allocate(sizeof *made + size);
  made->channel = self->channel;
  made->range = self->range;
  made->size = size;
  memcpy(made->data, data, size);
  if (self->last)
    self->last->next = made;
  else {
    self->first = made;
    self->budget = 0;
  }
  self->last = made;
  self->used += size;
  device_wait(&self->base);
}

int wb_emitter_send(WbDeviceTag tag, const void *data, int size) {
  Emitter *self = device_find(tag, &emitter_kind, __func__);
  if (!self || is_null(__func__, "data", data)) return 0;
  if (size < 1) {
    report_error(__func__, "called with an invalid size (%d) or no data; allowed: 1 or more bytes.", size);
    return 0;
  }
  if (self->buffer_size != UNLIMITED && self->used + (size_t)size > (size_t)self->buffer_size) return 0;
  add(self, data, (size_t)size);
  return 1;
}

void wb_emitter_set_channel(WbDeviceTag tag, int channel) {
  Emitter *self = device_find(tag, &emitter_kind, __func__);
  if (!self || is_bad_channel(__func__, channel, &self->allowed) || channel == self->channel) return;
  self->channel = channel;
  put_i32(device_command(&self->base, EMITTER_SET_CHANNEL), channel);
}

void wb_emitter_set_range(WbDeviceTag tag, double range) {
  Emitter *self = device_find(tag, &emitter_kind, __func__);
  if (!self) return;
  if (!(range >= 0 || range == UNLIMITED)) {
    report_error(__func__, MESSAGE_INVALID_RANGE, number_text(range));
    return;
  }
  if (range == UNLIMITED || (self->max_range != UNLIMITED && range > self->max_range))
    range = self->max_range;
  if (range == self->range) return;
  self->range = range;
  put_f64(device_command(&self->base, EMITTER_SET_RANGE), range);
}

#include "../generated/emitter.h"
