/* JPEG files (ITU-T T.81). */
#ifndef IMAGE_JPEG_H
#define IMAGE_JPEG_H

#include "bytes.h"

/* Append a picture: rows from the top, 1 byte (gray) or 4 bytes (B, G, R, A) per pixel. */
void put_jpeg(Buffer *out, int width, int height, const unsigned char *pixels, int channels, int quality);

#endif
