/* A lidar, which measures distances in layers and generates point clouds. */
#include <math.h>
#include <webots/lidar.h>

#include "../generated/messages.h"
#include "image_device.h"

enum { OPTICS = 7, IMAGE_FILE, FREQUENCY = 16, CLOUD_ON, CLOUD_OFF };

typedef struct {
  ImageDevice image;
  double max_range, frequency, min_frequency, max_frequency, vertical_fov;
  int number_of_layers, horizontal_resolution;
  bool cloud;
} Lidar;

_Static_assert(sizeof(WbLidarPoint) == 20, "points are sent in 20 bytes");

static void take_optics(Lidar *self, Reader *in) {
  read_image_optics(&self->image, in);
  self->max_range = read_f64(in);
  self->number_of_layers = (int)read_u16(in);
  self->frequency = read_f64(in);
  self->min_frequency = read_f64(in);
  self->max_frequency = read_f64(in);
  self->vertical_fov = read_f64(in);
  const double resolution = read_f64(in);
  self->horizontal_resolution = resolution >= 0 && resolution < MAX_PERIOD ? (int)resolution : 0;
}

static bool take(Device *device, unsigned code, Reader *in) {
  Lidar *self = (Lidar *)device;
  if (code == IMAGE_FILE) {
    take_image_file(&self->image, &self->image.shared, in);
    return true;
  }
  if (code != CONSTANTS && code != OPTICS) return false;
  if (code == CONSTANTS) read_image_size(&self->image, in);
  take_optics(self, in);
  return true;
}

static void take_image(Device *device, unsigned code, unsigned char *pixels, size_t size) {
  (void)code;
  image_put(&((Lidar *)device)->image.shared, pixels, size);
}

static void hold_images(Device *device, bool hold) { image_hold(&((Lidar *)device)->image.shared, hold); }

static void end(Device *device) { image_free(&((Lidar *)device)->image.shared); }

const Kind lidar_kind = {.class_name = "Lidar",
                         .size = sizeof(Lidar),
                         .take = take,
                         .take_image = take_image,
                         .hold_images = hold_images,
                         .end = end,
                         .lasting = 1u << ENABLE | 1u << FREQUENCY | 1u << CLOUD_ON | 1u << CLOUD_OFF};

static size_t count(const Lidar *self) {
  return (size_t)self->number_of_layers * (size_t)self->horizontal_resolution;
}

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
  if (0 <= layer && layer < self->number_of_layers) return true;
  report_error(function, MESSAGE_INVALID_LAYER, layer, self->number_of_layers - 1);
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
  device_cancel(&self->image.base, on ? CLOUD_OFF : CLOUD_ON);
  device_command(&self->image.base, on ? CLOUD_ON : CLOUD_OFF);
}

void wb_lidar_enable_point_cloud(WbDeviceTag tag) { switch_cloud(tag, true, __func__); }

void wb_lidar_disable_point_cloud(WbDeviceTag tag) { switch_cloud(tag, false, __func__); }

bool wb_lidar_is_point_cloud_enabled(WbDeviceTag tag) {
  const Lidar *self = device_find(tag, &lidar_kind, __func__);
  return self ? self->cloud : false;
}

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
  put_f64(device_command(&self->image.base, FREQUENCY), frequency);
}

#include "../generated/lidar.h"
