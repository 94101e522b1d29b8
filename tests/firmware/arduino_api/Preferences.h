/* Declarations of the library Preferences of the ESP32's Arduino core, from its public reference. */
#ifndef PREFERENCES_H
#define PREFERENCES_H

#include <stddef.h>

class Preferences {
 public:
  bool begin(const char *name, bool read_only);
  void end();
  size_t getString(const char *key, char *value, size_t most);
  size_t putString(const char *key, const char *value);
};

#endif
