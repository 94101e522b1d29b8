/* See image_device.h. */
#include "image_device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../generated/messages.h"
#include "../image_files.h"

/* Map a file. Returns NULL or an error. */
static const char *map(Image *image, const char *path, size_t size) {
  static unsigned serial;
  struct stat about;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return strerror(errno);
  const char *problem = NULL;
  if (fstat(file, &about) || (size_t)about.st_size < size)
    problem = "the file is too short";
  else {
    void *content = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    if (content == MAP_FAILED)
      problem = strerror(errno);
    else
      *image = (Image){.content = content, .size = size, .mapped = true, .file = file, .serial = ++serial};
  }
  if (problem) close(file);
  return problem;
}

void take_image_file(ImageDevice *device, Image *image, Reader *in) {
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

void read_image_size(ImageDevice *device, Reader *in) {
  read_u32(in); /* identifier of the node */
  device->width = (int)read_u16(in);
  device->height = (int)read_u16(in);
}

void read_image_optics(ImageDevice *device, Reader *in) {
  device->fov = read_f64(in);
  device->near = read_f64(in);
  device->planar = read_bool(in);
}

void image_put(Image *image, unsigned char *pixels, size_t size) {
  image_free(image);
  *image = (Image){.content = pixels, .size = size};
}

void image_free(Image *image) {
  if (image->mapped) {
    munmap(image->content, image->size);
    close(image->file);
  } else
    free(image->content);
  *image = (Image){0};
}

/* Replace a mapped image by a copy of itself. */
static void hold_copy(Image *image) {
  unsigned char *copy = allocate(image->size);
  memcpy(copy, image->content, image->size);
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  image->held = mmap(image->content, image->size, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED;
  if (image->held) memcpy(image->content, copy, image->size);
  free(copy);
}

void image_hold(Image *image, bool hold) {
  if (hold && image->mapped && !image->held) hold_copy(image);
  if (hold || !image->held) return;
  const int flags = MAP_SHARED | MAP_FIXED;
  image->held = mmap(image->content, image->size, PROT_READ, flags, image->file, 0) == MAP_FAILED;
}

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
