/* Definitions for reading and writing PNG. */
#ifndef PNG_FORMAT_H
#define PNG_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PNG_SIGNATURE "\x89PNG\r\n\x1a\n"
#define PNG_SIGNATURE_SIZE 8

enum { PNG_GRAY = 0, PNG_RGB = 2, PNG_PALETTE = 3, PNG_GRAY_ALPHA = 4, PNG_RGBA = 6 };

/* CRC-32 of some bytes. */
uint32_t png_checksum(const unsigned char *data, size_t size);

/* Unpack a zlib stream (RFC 1950) to exactly `room` bytes; false if it is damaged or shorter. */
bool inflate_zlib(const unsigned char *data, size_t size, unsigned char *out, size_t room);

#endif
