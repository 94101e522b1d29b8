/* The two checksums of the robot link. They process half a byte at a time, so that their tables have only 16
 * entries. */
#include "crc.h"

#include "memory.h"

static const FLASH uint32_t crc32_table[16] = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C,
};

uint16_t crc16(uint16_t crc, uint8_t byte) {
  crc = (uint16_t)(crc >> 8 | crc << 8);
  crc ^= byte;
  crc ^= (uint16_t)((crc & 0xFF) >> 4);
  crc ^= (uint16_t)(crc << 12);
  crc ^= (uint16_t)((crc & 0xFF) << 5);
  return crc;
}

uint32_t crc32(const uint8_t *data, uint16_t size) {
  uint32_t crc = 0xFFFFFFFFu;
  for (uint16_t k = 0; k < size; k++) {
    crc ^= data[k];
    crc = crc >> 4 ^ crc32_table[crc & 15];
    crc = crc >> 4 ^ crc32_table[crc & 15];
  }
  return crc ^ 0xFFFFFFFFu;
}
