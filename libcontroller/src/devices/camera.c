/* A camera, which captures color images. */
#include "camera.h"

#include <math.h>
#include <webots/camera.h>
#include <webots/range_finder.h>

#include "../generated/messages.h"

#define HALF_TURN 3.14159265358979323846 /* rad */
#define SEGMENTATION_IMAGE 9

static void start(Device *device) { ((Camera *)device)->exposure = 1; }

static void take_objects(Camera *self, Reader *in) { camera_take_objects(self, in); }

static void take_segmentation_file(Camera *self, Reader *in) {
  image_map_file(&self->image, &self->segments, in);
}

static void take_segmentation(Camera *self, Reader *in) { self->segmentation = read_bool(in); }

static void take_chunk(Device *device, unsigned code, unsigned char *pixels, size_t size) {
  Camera *self = (Camera *)device;
  image_put(code == SEGMENTATION_IMAGE ? &self->segments : &self->image.shared, pixels, size);
}

static void hold_images(Device *device, bool hold) {
  Camera *self = (Camera *)device;
  image_hold(&self->image.shared, hold);
  image_hold(&self->segments, hold);
}

static void end(Device *device) {
  Camera *self = (Camera *)device;
  image_free(&self->image.shared);
  image_free(&self->segments);
  camera_forget_objects(self);
}

size_t camera_picture_size(const Camera *camera) {
  return 4u * (size_t)camera->image.width * (size_t)camera->image.height;
}

const unsigned char *wb_camera_get_image(WbDeviceTag tag) {
  const Camera *self = device_find(tag, &camera_kind, __func__);
  if (!self) return NULL;
  device_check_enabled(&self->image.base, __func__);
  return image_get(&self->image.shared, 0, camera_picture_size(self));
}

int wb_camera_save_image(WbDeviceTag tag, const char *filename, int quality) {
  const Camera *self = device_find(tag, &camera_kind, __func__);
  if (!self) return -1;
  int result;
  if (self->image.base.kind != &camera_kind)
    REPORT_AS_OWN(result = wb_range_finder_save_image(tag, filename, quality));
  else
    REPORT_AS_OWN(result =
                      save_image(&self->image, __func__, filename, quality, wb_camera_get_image(tag), 4));
  return result;
}

static bool is_within(const char *function, const char *name, double value, double low, double high) {
  if (low <= value && value <= high) return true;
  report_error(function, MESSAGE_CAMERA_LIMITS, name, number_text(value), number_text(low),
               number_text(high));
  return false;
}

// True for an angle beyond an end of its range by less than 1e-4 rad, if that end is a multiple of pi/2,
// which has no exact decimal form.
static bool is_rounded(double angle, double end) {
  const double quarter = 1.5707963267948966, turns = round(end / quarter);
  return turns != 0 && fabs(end - turns * quarter) < 1e-9 && fabs(angle - end) < 1e-4;
}

void wb_camera_set_fov(WbDeviceTag tag, double fov) {
  Camera *self = device_find(tag, &camera_kind, __func__);
  if (!self) return;
  // A planar picture has at most half a turn, whatever the zoom allows.
  const double widest = self->image.planar && self->max_fov > HALF_TURN ? HALF_TURN : self->max_fov;
  if (fov > widest && is_rounded(fov, widest)) fov = widest;
  if (fov < self->min_fov && is_rounded(fov, self->min_fov)) fov = self->min_fov;
  if (!is_within(__func__, "fov", fov, self->min_fov, widest)) return;
  self->image.fov = fov;
  put_f64(device_command(&self->image.base, CAMERA_SET_FOV), fov);
}

void wb_camera_set_exposure(WbDeviceTag tag, double exposure) {
  Camera *self = device_find(tag, &camera_kind, __func__);
  if (!self || !is_within(__func__, "exposure", exposure, 0, INFINITY)) return;
  self->exposure = exposure;
  put_f64(device_command(&self->image.base, CAMERA_SET_EXPOSURE), exposure);
}

void wb_camera_set_focal_distance(WbDeviceTag tag, double focal_distance) {
  Camera *self = device_find(tag, &camera_kind, __func__);
  if (!self || !is_within(__func__, "focal_distance", focal_distance, self->min_focal_distance,
                          self->max_focal_distance))
    return;
  self->focal_distance = focal_distance;
  put_f64(device_command(&self->image.base, CAMERA_SET_FOCAL_DISTANCE), focal_distance);
}

#include "../generated/camera.h"
