/* A radar, which detects targets. */
#include <math.h>
#include <stdlib.h>
#include <webots/radar.h>

#include "../device.h"

#define TARGETS 1
#define TARGET_SIZE 32

typedef struct {
  Device base;
  double min_range, max_range, horizontal_fov, vertical_fov;
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

static bool take(Device *device, unsigned code, Reader *in) {
  Radar *self = (Radar *)device;
  if (code == CONSTANTS) {
    self->min_range = read_f64(in);
    self->max_range = read_f64(in);
    self->horizontal_fov = read_f64(in);
    self->vertical_fov = read_f64(in);
  } else if (code == TARGETS)
    take_targets(self, in);
  else
    return false;
  return true;
}

static void end(Device *device) { free(((Radar *)device)->targets); }

const Kind radar_kind = {.class_name = "Radar", .size = sizeof(Radar), .take = take, .end = end};

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
