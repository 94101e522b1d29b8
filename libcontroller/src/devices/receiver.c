/* A receiver, which queues packets from emitters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <webots/receiver.h>

#include "../generated/messages.h"
#include "../generated/receiver_codec.h"
#include "channels.h"

/* A received packet with the direction to its emitter and the signal strength. */
typedef struct Incoming {
  struct Incoming *next;
  double direction[3], strength;
  size_t size;
  unsigned char data[];
} Incoming;

typedef struct {
  Device base;
  RECEIVER_MEMBERS;
  Channels allowed;
  Incoming *first, *last;
  int queue_length;
  size_t used;
} Receiver;

static void start(Device *device) { ((Receiver *)device)->buffer_size = UNLIMITED; }

/* Drop a packet that does not fit into the buffer. */
static void take_packet(Receiver *self, Reader *in) {
  double direction[3];
  size_t size;
  read_i32(in); /* the channel */
  read_f64s(in, direction, 3);
  const double strength = read_f64(in);
  const unsigned char *data = read_bytes32(in, &size);
  if (!data || (self->buffer_size >= 0 && self->used + size > (size_t)self->buffer_size)) return;
  Incoming *made = allocate(sizeof *made + size);
  memcpy(made->direction, direction, sizeof direction);
  made->strength = strength;
  made->size = size;
  memcpy(made->data, data, size);
  if (self->last)
    self->last->next = made;
  else
    self->first = made;
  self->last = made;
  self->used += size;
  ++self->queue_length;
}

static void read_allowed_channels(Receiver *self, Reader *in) { read_channels(in, &self->allowed); }

static void drop_first(Receiver *self) {
  Incoming *first = self->first;
  self->first = first->next;
  if (!self->first) self->last = NULL;
  self->used -= first->size;
  --self->queue_length;
  free(first);
}

static void drop_packets(Device *device) {
  Receiver *self = (Receiver *)device;
  while (self->first) drop_first(self);
}

static void end(Device *device) {
  Receiver *self = (Receiver *)device;
  drop_packets(device);
  free(self->allowed.items);
}

void wb_receiver_next_packet(WbDeviceTag tag) {
  Receiver *self = device_find(tag, &receiver_kind, __func__);
  if (self && self->first) drop_first(self);
}

/* The first packet in the queue. */
static const Incoming *head(const Receiver *self, const char *function) {
  if (self && !self->first) report_error(function, MESSAGE_EMPTY_QUEUE);
  return self ? self->first : NULL;
}

const void *wb_receiver_get_data(WbDeviceTag tag) {
  const Incoming *packet = head(device_find(tag, &receiver_kind, __func__), __func__);
  return packet ? packet->data : NULL;
}

int wb_receiver_get_data_size(WbDeviceTag tag) {
  const Receiver *self = device_find(tag, &receiver_kind, __func__);
  const Incoming *packet = head(self, __func__);
  return packet ? (int)packet->size : self ? -1 : 0;
}

double wb_receiver_get_signal_strength(WbDeviceTag tag) {
  const Incoming *packet = head(device_find(tag, &receiver_kind, __func__), __func__);
  return packet ? packet->strength : NAN;
}

const double *wb_receiver_get_emitter_direction(WbDeviceTag tag) {
  const Incoming *packet = head(device_find(tag, &receiver_kind, __func__), __func__);
  return packet ? packet->direction : NULL;
}

void wb_receiver_set_channel(WbDeviceTag tag, int channel) {
  Receiver *self = device_find(tag, &receiver_kind, __func__);
  if (!self || is_bad_channel(__func__, channel, &self->allowed) || channel == self->channel) return;
  self->channel = channel;
  put_i32(device_command(&self->base, RECEIVER_SET_CHANNEL), channel);
}

#include "../generated/receiver.h"
