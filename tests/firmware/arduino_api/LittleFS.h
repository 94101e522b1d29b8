/* Declarations of the file system of the Pico W's Arduino core, from its public reference. */
#ifndef LITTLEFS_H
#define LITTLEFS_H

#include <stddef.h>
#include <stdint.h>

class File {
 public:
  int read();
  size_t write(uint8_t byte);
  size_t write(const uint8_t *data, size_t size);
  void close();
  operator bool() const;
  void *of = nullptr; /* in tests */
};

class FS {
 public:
  bool begin();
  void end();
  File open(const char *path, const char *mode);
  bool remove(const char *path);
};

extern FS LittleFS;

#endif
