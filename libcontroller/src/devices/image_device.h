/* Base of image devices. Images arrive in a shared file locally and in chunks over TCP. */
#ifndef IMAGE_DEVICE_H
#define IMAGE_DEVICE_H

#include "../device.h"

/* The latest image of one stream. */
typedef struct {
  unsigned char *content;
  size_t size;
  bool mapped;     /* a file that the simulator writes while the controller waits */
  bool held;       /* the content is a copy of the file in its place */
  int file;        /* descriptor of the file, if mapped */
  unsigned serial; /* of the mapped file: another one for each */
} Image;

typedef struct {
  Device base;
  int width, height;
  double fov, near;
  bool planar;
  Image shared;
} ImageDevice;

/* Map the shared file with the images, which changes with the size. */
void image_map_file(ImageDevice *device, Image *image, Reader *in);

/* What the kinds of devices with one stream do with its images, see Kind. */
void image_take(Device *device, unsigned code, unsigned char *pixels, size_t size);
void image_hold_all(Device *device, bool hold);
void image_end(Device *device);

/* Store an image that arrived as bytes; takes their ownership. */
void image_put(Image *image, unsigned char *pixels, size_t size);
void image_free(Image *image);

/* Keep the content of a mapped file while the simulator may write the next image (between step_begin and
   step_end), at the same address; or follow the file again. */
void image_hold(Image *image, bool hold);

/* `size` bytes from `start`; NULL before the first image. */
const unsigned char *image_get(const Image *image, size_t start, size_t size);

/* Save an image of 1 (gray) or 4 (B, G, R, A) bytes per pixel; 0, or -1 with an error message. */
int save_image(const ImageDevice *device, const char *function, const char *filename, int quality,
               const unsigned char *pixels, int channels);

/* Save shares from 0 to 1: as floating-point numbers in a .hdr file, else as gray levels; as above. */
int save_shares(const ImageDevice *device, const char *function, const char *filename, int quality,
                const float *shares);

#endif
