/* A microphone (experimental in Webots). */
#include <stdlib.h>
#include <string.h>
#include <webots/microphone.h>

#include "../device.h"
#include "../generated/microphone_codec.h"

typedef struct {
  Device base;
  MICROPHONE_MEMBERS;
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

static void end(Device *device) { free(((Microphone *)device)->samples); }

#include "../generated/microphone.h"
