/* SHA-1 (FIPS 180-4), which shortens long names of robots. */
#ifndef SHA1_H
#define SHA1_H

#include <stddef.h>

#define SHA1_DIGITS 40

/* The digest of bytes as a string of lower-case hexadecimal digits. */
void sha1_digits(const void *data, size_t size, char digits[SHA1_DIGITS + 1]);

#endif
