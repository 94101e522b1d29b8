/* The two checksums of the robot link. */
#ifndef CRC_H
#define CRC_H

#include <stdint.h>

#define CRC16_START 0xFFFFu

/* CRC-16/CCITT-FALSE: updates a checksum with one byte. */
uint16_t crc16(uint16_t crc, uint8_t byte);

/* CRC-32 as in zlib, Ethernet and PNG, of `size` bytes. */
uint32_t crc32(const uint8_t *data, uint16_t size);

#endif
