/* A radio, which sends and receives messages (experimental in Webots). */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <webots/radio.h>

#include "../device.h"
#include "../generated/radio_codec.h"

struct WbRadioMessageInternal {
  char *destination;
  int length;
  char *body;
};

/* A received message. */
struct WbRadioEventInternal {
  struct WbRadioEventInternal *next;
  WbDeviceTag radio;
  char *emitter;
  double rssi;
  int size;
  char data[];
};
typedef struct WbRadioEventInternal Event;

typedef struct {
  Device base;
  RADIO_MEMBERS;
  Buffer outgoing;
  Event *arrived;
  void (*callback)(const WbRadioEvent);
} Radio;

static void start(Device *device) { keep_text(&((Radio *)device)->address, ""); }

static void take_packet(Radio *self, Reader *in) {
  size_t size;
  const double rssi = read_f64(in);
  const char *emitter = read_text(in);
  const unsigned char *data = read_bytes32(in, &size);
  if (!data) return;
  Event *made = allocate(sizeof *made + size + 1);
  made->radio = (WbDeviceTag)self->base.tag;
  keep_text(&made->emitter, emitter);
  made->rssi = rssi;
  made->size = (int)size;
  memcpy(made->data, data, size);
  Event **place = &self->arrived;
  while (*place) place = &(*place)->next;
  *place = made;
}

/* Pass the messages to the callback, which may call API functions. */
static void taken(Device *device) {
  Radio *self = (Radio *)device;
  while (self->arrived) {
    Event *one = self->arrived;
    self->arrived = one->next;
    if (self->callback) self->callback(one);
    free(one->emitter);
    free(one);
  }
}

static void flush(Device *device, Buffer *out) {
  Radio *self = (Radio *)device;
  device_flush(device, out);
  put(out, self->outgoing.data, self->outgoing.size);
  self->outgoing.size = 0;
}

static void end(Device *device) {
  Radio *self = (Radio *)device;
  self->callback = NULL;
  taken(device);
  free(self->address);
  buffer_free(&self->outgoing);
}

void wb_radio_send(WbDeviceTag tag, const WbRadioMessage message, double delay) {
  Radio *self = device_find(tag, &radio_kind, __func__);
  if (!self || is_null(__func__, "message", message)) return;
  put_u8(&self->outgoing, RADIO_SEND);
  put_bytes32(&self->outgoing, message->destination, strlen(message->destination));
  put_bytes32(&self->outgoing, message->body, (size_t)message->length);
  put_f64(&self->outgoing, delay);
  device_wait(&self->base);
}

void wb_radio_set_callback(WbDeviceTag tag, void (*callback)(const WbRadioEvent)) {
  Radio *self = device_find(tag, &radio_kind, __func__);
  if (self) self->callback = callback;
}

/* Settings. */

void wb_radio_set_address(WbDeviceTag tag, const char *address) {
  Radio *self = device_find(tag, &radio_kind, __func__);
  if (!self || is_null(__func__, "address", address)) return;
  put_bytes32(device_command(&self->base, RADIO_SET_ADDRESS), address, strlen(address));
  keep_text(&self->address, address);
}

/* Messages and events. */

WbRadioMessage wb_radio_message_new(int length, const char *body, const char *destination) {
  if (length < 0) {
    report_error(__func__, "called with a length of %d bytes; allowed: 0 or more.", length);
    return NULL;
  }
  if ((length > 0 && is_null(__func__, "body", body)) || is_null(__func__, "destination", destination))
    return NULL;
  WbRadioMessage made = allocate(sizeof *made);
  keep_text(&made->destination, destination);
  made->length = length;
  made->body = allocate((size_t)length + 1);
  if (length > 0) memcpy(made->body, body, (size_t)length);
  return made;
}

void wb_radio_message_delete(WbRadioMessage message) {
  if (!message) return;
  free(message->destination);
  free(message->body);
  free(message);
}

const char *wb_radio_message_get_destination(WbRadioMessage message) {
  return is_null(__func__, "message", message) ? "" : message->destination;
}

int wb_radio_message_get_length(WbRadioMessage message) {
  return is_null(__func__, "message", message) ? 0 : message->length;
}

const char *wb_radio_message_get_body(WbRadioMessage message) {
  return is_null(__func__, "message", message) ? NULL : message->body;
}

WbDeviceTag wb_radio_event_get_radio(const WbRadioEvent event) {
  return is_null(__func__, "event", event) ? 0 : event->radio;
}

char *wb_radio_event_get_data(const WbRadioEvent event) {
  return is_null(__func__, "event", event) ? NULL : event->data;
}

int wb_radio_event_get_data_size(const WbRadioEvent event) {
  return is_null(__func__, "event", event) ? 0 : event->size;
}

char *wb_radio_event_get_emitter(const WbRadioEvent event) {
  return is_null(__func__, "event", event) ? NULL : event->emitter;
}

double wb_radio_event_get_rssi(const WbRadioEvent event) {
  return is_null(__func__, "event", event) ? NAN : event->rssi;
}

#include "../generated/radio.h"
