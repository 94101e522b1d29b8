/* A camera; see camera.c for images and camera_recognition.c for recognized objects. */
#ifndef CAMERA_H
#define CAMERA_H

#include <webots/camera_recognition_object.h>

#include "../generated/camera_codec.h"
#include "image_device.h"

typedef struct {
  ImageDevice image;
  CAMERA_MEMBERS;
  bool segmentation_enabled;
  int recognition_period;
  Image segments;
  WbCameraRecognitionObject *objects;
  int object_count;
} Camera;

/* The size of an image in bytes. */
size_t camera_picture_size(const Camera *camera);

/* camera_recognition.c */
void camera_take_objects(Camera *camera, Reader *in);
void camera_forget_objects(Camera *camera);

#endif
