/* Recognized objects of a camera, and segmentation images. */
#include <stdlib.h>
#include <webots/camera.h>

#include "../generated/messages.h"
#include "../robot.h"
#include "camera.h"

#define LEAST_OBJECT 97 /* size of an object without colors and model, in bytes */
#define COLOR_SIZE 24

void camera_forget_objects(Camera *self) {
  for (int i = 0; i < self->object_count; ++i) {
    free(self->objects[i].colors);
    free(self->objects[i].model);
  }
  free(self->objects);
  self->objects = NULL;
  self->object_count = 0;
}

static void take_object(WbCameraRecognitionObject *object, Reader *in) {
  object->id = read_i32(in);
  read_f64s(in, object->position, 3);
  read_f64s(in, object->orientation, 4);
  read_f64s(in, object->size, 2);
  for (int i = 0; i < 2; ++i) object->position_on_image[i] = read_i32(in);
  for (int i = 0; i < 2; ++i) object->size_on_image[i] = read_i32(in);
  object->number_of_colors = read_count(in, COLOR_SIZE);
  object->colors = allocate(sizeof(double) * 3 * (size_t)object->number_of_colors);
  read_f64s(in, object->colors, 3 * object->number_of_colors);
  read_kept_text(in, &object->model);
}

void camera_take_objects(Camera *self, Reader *in) {
  camera_forget_objects(self);
  self->object_count = read_count(in, LEAST_OBJECT);
  self->objects = allocate(sizeof *self->objects * (size_t)self->object_count);
  for (int i = 0; i < self->object_count; ++i) take_object(&self->objects[i], in);
}

/* The camera with a tag, if it has a Recognition node; else NULL. */
static Camera *recognizing(WbDeviceTag tag, const char *function) {
  Camera *self = device_find(tag, &camera_kind, function);
  if (self && !self->recognition) {
    report_error(function, MESSAGE_NO_RECOGNITION, self->image.base.name);
    return NULL;
  }
  return self;
}

static void set_period(Camera *self, int period) {
  const char *function = "wb_camera_recognition_enable";
  if (!self || is_bad_period(function, period) || !recognizing((WbDeviceTag)self->image.base.tag, function))
    return;
  self->recognition_period = period;
  put_u16(device_command(&self->image.base, CAMERA_ENABLE_RECOGNITION), (unsigned)period);
}

void wb_camera_recognition_enable(WbDeviceTag tag, int sampling_period) {
  set_period(device_find(tag, &camera_kind, __func__), sampling_period);
}

void wb_camera_recognition_disable(WbDeviceTag tag) {
  set_period(device_find(tag, &camera_kind, __func__), 0);
}

/* The camera with a tag, for a function that reads recognized objects; warns once if none are measured. */
static Camera *recognizing_now(WbDeviceTag tag, const char *function) {
  Camera *self = recognizing(tag, function);
  if (self) device_check_on(&self->image.base, self->recognition_period > 0, "recognition_enable", function);
  return self;
}

int wb_camera_recognition_get_number_of_objects(WbDeviceTag tag) {
  const Camera *self = recognizing_now(tag, __func__);
  return self ? self->object_count : 0;
}

const WbCameraRecognitionObject *wb_camera_recognition_get_objects(WbDeviceTag tag) {
  const Camera *self = recognizing_now(tag, __func__);
  return self && self->object_count ? self->objects : NULL;
}

const WbCameraRecognitionObject *wb_camera_recognition_get_object(WbDeviceTag tag, int index) {
  const Camera *self = recognizing_now(tag, __func__);
  return self && 0 <= index && index < self->object_count ? &self->objects[index] : NULL;
}

/* Segmentation. */

/* Segmentation needs a recognition that is enabled and whose node allows it. */
static bool may_segment(const Camera *self, const char *function) {
  device_check_on(&self->image.base, self->recognition_period > 0, "recognition_enable", function);
  if (!self->segmentation) report_error(function, MESSAGE_NO_SEGMENTATION, self->image.base.name);
  return self->segmentation && self->recognition_period > 0;
}

static void segment(WbDeviceTag tag, bool on, const char *function) {
  Camera *self = recognizing(tag, function);
  if (!self || (on && !may_segment(self, function))) return;
  self->segmentation_enabled = on;
  put_u8(device_command(&self->image.base, CAMERA_ENABLE_SEGMENTATION), on);
}

void wb_camera_recognition_enable_segmentation(WbDeviceTag tag) { segment(tag, true, __func__); }

void wb_camera_recognition_disable_segmentation(WbDeviceTag tag) { segment(tag, false, __func__); }

static const unsigned char *segments(const Camera *self, const char *function) {
  device_check_on(&self->image.base, self->segmentation_enabled, "recognition_enable_segmentation", function);
  return self->segmentation_enabled ? image_get(&self->segments, 0, camera_picture_size(self)) : NULL;
}

const unsigned char *wb_camera_recognition_get_segmentation_image(WbDeviceTag tag) {
  const Camera *self = device_find(tag, &camera_kind, __func__);
  return self ? segments(self, __func__) : NULL;
}

int wb_camera_recognition_save_segmentation_image(WbDeviceTag tag, const char *filename, int quality) {
  const Camera *self = device_find(tag, &camera_kind, __func__);
  return self ? save_image(&self->image, __func__, filename, quality, segments(self, __func__), 4) : -1;
}
