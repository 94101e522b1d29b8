/* See image_device.h. */
#include "image_device.h"

#include <stdlib.h>
#include <string.h>

#include "../generated/messages.h"
#include "../image_files.h"
#include "../platform/system.h"

/* Map a file. Returns NULL or an error. */
static const char *map(Image *image, const char *path, size_t size) {
  static unsigned serial;
  const char *problem = NULL;
  int file = -1;
  void *content = system_map_file(path, size, &file, &problem);
  if (!content) return problem;
  *image = (Image){.content = content, .size = size, .mapped = true, .file = file, .serial = ++serial};
  return NULL;
}

void image_map_file(ImageDevice *device, Image *image, Reader *in) {
  const int32_t size = read_i32(in);
  image_free(image);
  if (size <= 0 && !in->problem) /* the simulator could not create a file */
    return;
  const char *path = read_text(in);
  const char *problem = in->problem ? NULL : map(image, path, (size_t)size);
  if (problem) {
    char function[64];
    api_name(&device->base, "enable", function, sizeof function);
    report_error(function, "cannot read the images of \"%s\": %s: %s", device->base.name, path, problem);
  }
}

void image_put(Image *image, unsigned char *pixels, size_t size) {
  image_free(image);
  *image = (Image){.content = pixels, .size = size};
}

void image_free(Image *image) {
  if (image->mapped)
    system_unmap_file(image->content, image->size, image->file);
  else
    free(image->content);
  *image = (Image){0};
}

/* Replace a mapped image by a copy of itself. */
static void hold_copy(Image *image) {
  unsigned char *copy = allocate(image->size);
  memcpy(copy, image->content, image->size);
  image->held = system_hold_copy(image->content, image->size);
  if (image->held) memcpy(image->content, copy, image->size);
  free(copy);
}

void image_hold(Image *image, bool hold) {
  if (hold && image->mapped && !image->held) hold_copy(image);
  if (hold || !image->held) return;
  image->held = !system_follow_file(image->content, image->size, image->file);
}

void image_take(Device *device, unsigned code, unsigned char *pixels, size_t size) {
  (void)code;
  image_put(&((ImageDevice *)device)->shared, pixels, size);
}

void image_hold_all(Device *device, bool hold) { image_hold(&((ImageDevice *)device)->shared, hold); }

void image_end(Device *device) { image_free(&((ImageDevice *)device)->shared); }

const unsigned char *image_get(const Image *image, size_t start, size_t size) {
  return image->content && start + size <= image->size ? image->content + start : NULL;
}

static bool can_save(const char *function, const char *filename, int quality, const void *image) {
  if (is_null(function, "filename", filename)) return false;
  if (!image) {
    report_error(function, MESSAGE_NO_IMAGE_YET);
    return false;
  }
  if (is_jpeg_file(filename) && (quality < 1 || quality > 100)) {
    report_error(function, MESSAGE_INVALID_QUALITY, quality);
    return false;
  }
  return true;
}

static int saved(const char *function, const char *filename, const char *problem) {
  if (!problem) return 0;
  report_error(function, MESSAGE_UNWRITABLE_IMAGE, filename, problem);
  return -1;
}

int save_image(const ImageDevice *device, const char *function, const char *filename, int quality,
               const unsigned char *pixels, int channels) {
  if (!can_save(function, filename, quality, pixels)) return -1;
  return saved(function, filename,
               write_image_file(filename, device->width, device->height, pixels, channels, quality));
}

int save_shares(const ImageDevice *device, const char *function, const char *filename, int quality,
                const float *shares) {
  if (!can_save(function, filename, quality, shares)) return -1;
  if (is_float_file(filename))
    return saved(function, filename, write_float_file(filename, device->width, device->height, shares));
  const size_t count = (size_t)device->width * (size_t)device->height;
  unsigned char *gray = allocate(count);
  for (size_t i = 0; i < count; ++i) gray[i] = (unsigned char)((double)shares[i] * 255);
  const int result = save_image(device, function, filename, quality, gray, 1);
  free(gray);
  return result;
}
