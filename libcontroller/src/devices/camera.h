/* A camera; see camera.c for images and camera_recognition.c for recognized objects. */
#ifndef CAMERA_H
#define CAMERA_H

#include <webots/camera_recognition_object.h>

#include "image_device.h"

typedef struct {
  ImageDevice image;
  double min_fov, max_fov, exposure, focal_length, focal_distance, min_focal_distance, max_focal_distance;
  bool recognition, segmentation, segmentation_enabled;
  int recognition_period;
  Image segments;
  WbCameraRecognitionObject *objects;
  int object_count;
} Camera;

extern const Kind camera_kind;

/* The size of an image in bytes. */
size_t camera_picture_size(const Camera *camera);

/* camera_recognition.c */
void camera_take_objects(Camera *camera, Reader *in);
void camera_forget_objects(Camera *camera);

#endif
