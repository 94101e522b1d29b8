/* Pictures in files: PNG (ISO/IEC 15948), without any other library. */
#ifndef IMAGE_FILES_H
#define IMAGE_FILES_H

/* Write rows from the top, 1 byte (gray) or 4 bytes (B, G, R, A) a pixel. NULL, or why that failed. */
const char *write_image_file(const char *path, int width, int height, const unsigned char *pixels,
                             int channels);

/* Read a picture as R, G, B, A from the top; the pixels are to be freed. NULL, or why that failed. */
const char *read_image_file(const char *path, int *width, int *height, unsigned char **pixels);

#endif
