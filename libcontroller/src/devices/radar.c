/* A radar, which detects targets. */
#include <math.h>
#include <stdlib.h>
#include <webots/radar.h>

#include "../device.h"
#include "../generated/radar_codec.h"

#define TARGET_SIZE 32

typedef struct {
  Device base;
  RADAR_MEMBERS;
  WbRadarTarget *targets;
  int number_of_targets;
} Radar;

static void take_targets(Radar *self, Reader *in) {
  self->number_of_targets = read_count(in, TARGET_SIZE);
  self->targets = reallocate(self->targets, sizeof *self->targets * (size_t)self->number_of_targets);
  for (int i = 0; i < self->number_of_targets; ++i) {
    WbRadarTarget *one = &self->targets[i];
    one->distance = read_f64(in);
    one->received_power = read_f64(in);
    one->speed = read_f64(in);
    one->azimuth = read_f64(in);
  }
}

static void end(Device *device) { free(((Radar *)device)->targets); }

const WbRadarTarget *wb_radar_get_targets(WbDeviceTag tag) {
  const Radar *self = device_find(tag, &radar_kind, __func__);
  if (self) device_check_enabled(&self->base, __func__);
  return self && self->number_of_targets ? self->targets : NULL;
}

const WbRadarTarget *wb_radar_get_target(WbDeviceTag tag, int index) {
  const Radar *self = device_find(tag, &radar_kind, __func__);
  if (self) device_check_enabled(&self->base, __func__);
  return self && 0 <= index && index < self->number_of_targets ? &self->targets[index] : NULL;
}

#include "../generated/radar.h"
