/* A lidar, which measures distances in layers and generates point clouds. */
#include <math.h>
#include <webots/lidar.h>

#include "../generated/lidar_codec.h"
#include "../generated/messages.h"
#include "image_device.h"

typedef struct {
  ImageDevice image;
  LIDAR_MEMBERS;
  int horizontal_resolution;
  bool cloud;
} Lidar;

_Static_assert(sizeof(WbLidarPoint) == 20, "points are sent in 20 bytes");

static void read_horizontal_resolution(Lidar *self, Reader *in) {
  const double resolution = read_f64(in);
  self->horizontal_resolution = resolution >= 0 && resolution < MAX_PERIOD ? (int)resolution : 0;
}

static size_t count(const Lidar *self) { return (size_t)self->layers * (size_t)self->horizontal_resolution; }

/* Distances from index `first`. */
static const float *ranges(const Lidar *self, size_t first, size_t size) {
  return (const float *)(const void *)image_get(&self->image.shared, sizeof(float) * first,
                                                sizeof(float) * size);
}

/* Points from index `first`; they follow the distances. */
static const WbLidarPoint *points(const Lidar *self, const char *function, size_t first, size_t size) {
  device_check_enabled(&self->image.base, function);
  device_check_on(&self->image.base, self->cloud, "enable_point_cloud", function);
  if (!self->cloud) return NULL;
  const size_t start = sizeof(float) * count(self) + sizeof(WbLidarPoint) * first;
  return (const WbLidarPoint *)(const void *)image_get(&self->image.shared, start,
                                                       sizeof(WbLidarPoint) * size);
}

static bool is_layer(const Lidar *self, const char *function, int layer) {
  if (0 <= layer && layer < self->layers) return true;
  report_error(function, MESSAGE_INVALID_LAYER, layer, self->layers - 1);
  return false;
}

const float *wb_lidar_get_range_image(WbDeviceTag tag) {
  const Lidar *self = device_find(tag, &lidar_kind, __func__);
  if (!self) return NULL;
  device_check_enabled(&self->image.base, __func__);
  return ranges(self, 0, count(self));
}

const float *wb_lidar_get_layer_range_image(WbDeviceTag tag, int layer) {
  const Lidar *self = device_find(tag, &lidar_kind, __func__);
  if (!self || !is_layer(self, __func__, layer)) return NULL;
  device_check_enabled(&self->image.base, __func__);
  const size_t size = (size_t)self->horizontal_resolution;
  return ranges(self, (size_t)layer * size, size);
}

static void switch_cloud(WbDeviceTag tag, bool on, const char *function) {
  Lidar *self = device_find(tag, &lidar_kind, function);
  if (!self) return;
  self->cloud = on;
  if (on)
    device_replace(&self->image.base, LIDAR_DISABLE_POINT_CLOUD, LIDAR_ENABLE_POINT_CLOUD);
  else
    device_replace(&self->image.base, LIDAR_ENABLE_POINT_CLOUD, LIDAR_DISABLE_POINT_CLOUD);
}

void wb_lidar_enable_point_cloud(WbDeviceTag tag) { switch_cloud(tag, true, __func__); }

void wb_lidar_disable_point_cloud(WbDeviceTag tag) { switch_cloud(tag, false, __func__); }

const WbLidarPoint *wb_lidar_get_point_cloud(WbDeviceTag tag) {
  const Lidar *self = device_find(tag, &lidar_kind, __func__);
  return self ? points(self, __func__, 0, count(self)) : NULL;
}

const WbLidarPoint *wb_lidar_get_layer_point_cloud(WbDeviceTag tag, int layer) {
  const Lidar *self = device_find(tag, &lidar_kind, __func__);
  if (!self || !is_layer(self, __func__, layer)) return NULL;
  const size_t size = (size_t)self->horizontal_resolution;
  return points(self, __func__, (size_t)layer * size, size);
}

const WbLidarPoint *wb_lidar_get_point(WbDeviceTag tag, int index) {
  const Lidar *self = device_find(tag, &lidar_kind, __func__);
  return self && 0 <= index && (size_t)index < count(self) ? points(self, __func__, (size_t)index, 1) : NULL;
}

int wb_lidar_get_number_of_points(WbDeviceTag tag) {
  const Lidar *self = device_find(tag, &lidar_kind, __func__);
  return self ? (int)count(self) : 0;
}

void wb_lidar_set_frequency(WbDeviceTag tag, double frequency) {
  Lidar *self = device_find(tag, &lidar_kind, __func__);
  if (!self) return;
  if (!(self->min_frequency <= frequency && frequency <= self->max_frequency)) {
    report_error(__func__, MESSAGE_INVALID_FREQUENCY, number_text(frequency),
                 number_text(self->min_frequency), number_text(self->max_frequency));
    return;
  }
  self->frequency = frequency;
  put_f64(device_command(&self->image.base, LIDAR_SET_FREQUENCY), frequency);
}

#include "../generated/lidar.h"
