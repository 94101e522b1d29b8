/* Image files: PNG (ISO/IEC 15948), JPEG (ITU-T T.81, writing only), and Radiance for floating-point numbers,
 * without other libraries. */
#ifndef IMAGE_FILES_H
#define IMAGE_FILES_H

#include <stdbool.h>

/* Write rows from the top, 1 byte (gray) or 4 bytes (B, G, R, A) per pixel, as .png or, with a quality from 1
   to 100, as .jpg. Returns NULL or an error. */
const char *write_image_file(const char *path, int width, int height, const unsigned char *pixels,
                             int channels, int quality);

/* Whether the name ends with .jpg or .jpeg, so that there is a quality. */
bool is_jpeg_file(const char *path);

/* Whether the name ends with .hdr. */
bool is_float_file(const char *path);

/* Write finite numbers of 0 or more, rows from the top, as a Radiance file. Returns NULL or an error. */
const char *write_float_file(const char *path, int width, int height, const float *values);

/* Read an image as R, G, B, A from the top; the caller frees the pixels. Returns NULL or an error. */
const char *read_image_file(const char *path, int *width, int *height, unsigned char **pixels);

#endif
