/* A range-finder, which captures depth images. */
#include <math.h>
#include <stdlib.h>
#include <webots/camera.h>
#include <webots/range_finder.h>

#include "../generated/messages.h"
#include "../generated/range_finder_codec.h"
#include "../robot.h"
#include "camera.h"

typedef struct {
  ImageDevice image;
  RANGE_FINDER_MEMBERS;
} RangeFinder;

static void start(Device *device) { ((RangeFinder *)device)->max_range = 1; }

/* These functions work for all image devices: they use only the common first member of Camera. */
static const char *const FORMER[] = {
    "wb_camera_enable",    "wb_camera_disable",    "wb_camera_get_sampling_period",
    "wb_camera_get_width", "wb_camera_get_height", "wb_camera_get_fov",
    "wb_camera_get_near",  "wb_camera_save_image", NULL};

static size_t count(const RangeFinder *self) {
  return (size_t)self->image.width * (size_t)self->image.height;
}

const float *wb_range_finder_get_range_image(WbDeviceTag tag) {
  const RangeFinder *self = device_find(tag, &range_finder_kind, __func__);
  if (!self) return NULL;
  device_check_enabled(&self->image.base, __func__);
  return (const float *)(const void *)image_get(&self->image.shared, 0, sizeof(float) * count(self));
}

int wb_range_finder_save_image(WbDeviceTag tag, const char *filename, int quality) {
  const RangeFinder *self = device_find(tag, &range_finder_kind, __func__);
  if (!self) return -1;
  const float *image;
  REPORT_AS_OWN(image = wb_range_finder_get_range_image(tag));
  float *shares = image ? allocate(count(self) * sizeof(float)) : NULL;
  for (size_t i = 0; shares && i < count(self); ++i)
    shares[i] = (float)fmax(0, fmin(1, ((double)image[i] - self->image.near) / self->max_range));
  const int result = save_shares(&self->image, __func__, filename, quality, shares);
  free(shares);
  return result;
}

/* Names of Webots 8, where cameras could measure distances. */

static bool is_of(WbDeviceTag tag, const Kind *kind) {
  const Robot *robot = robot_current();
  return tag < robot->device_count && robot->devices[tag] && robot->devices[tag]->kind == kind;
}

const float *wb_camera_get_range_image(WbDeviceTag tag) {
  if (is_of(tag, &camera_kind)) {
    report_error(__func__, MESSAGE_COLOR_CAMERA);
    return NULL;
  }
  const float *image;
  REPORT_AS_OWN(image = wb_range_finder_get_range_image(tag));
  return image;
}

double wb_camera_get_max_range(WbDeviceTag tag) {
  const RangeFinder *self = device_find(tag, &range_finder_kind, __func__);
  return self ? self->max_range : NAN;
}

float wb_camera_range_image_get_depth(const float *range_image, int width, int x, int y) {
  return is_null(__func__, "range_image", range_image) ? NAN : range_image[y * width + x];
}

int wb_camera_get_type(WbDeviceTag tag) {
  if (is_of(tag, &camera_kind)) return WB_CAMERA_COLOR;
  return device_find(tag, &range_finder_kind, __func__) ? WB_CAMERA_RANGE_FINDER : WB_CAMERA_COLOR;
}

#include "../generated/range_finder.h"
