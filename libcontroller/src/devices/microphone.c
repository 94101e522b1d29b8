/* A microphone (experimental in Webots). */
#include <stdlib.h>
#include <string.h>
#include <webots/microphone.h>

#include "../device.h"

#define SAMPLES 1

typedef struct {
  Device base;
  double aperture, sensitivity;
  unsigned char *samples;
  int sample_size;
} Microphone;

static void take_samples(Microphone *self, Reader *in) {
  size_t size;
  const unsigned char *data = read_bytes32(in, &size);
  if (!data) return;
  self->samples = reallocate(self->samples, size);
  memcpy(self->samples, data, size);
  self->sample_size = (int)size;
}

static bool take(Device *device, unsigned code, Reader *in) {
  Microphone *self = (Microphone *)device;
  if (code == CONSTANTS) {
    self->aperture = read_f64(in);
    self->sensitivity = read_f64(in);
  } else if (code == SAMPLES)
    take_samples(self, in);
  else
    return false;
  return true;
}

static void end(Device *device) { free(((Microphone *)device)->samples); }

const Kind microphone_kind = {
    .class_name = "Microphone", .size = sizeof(Microphone), .take = take, .end = end};

const void *wb_microphone_get_sample_data(WbDeviceTag tag) {
  const Microphone *self = device_find(tag, &microphone_kind, __func__);
  if (self) device_check_enabled(&self->base, __func__);
  return self ? self->samples : NULL;
}

#include "../generated/microphone.h"
