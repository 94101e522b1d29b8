/* Declarations of the library PicoOTA of the Pico W's Arduino core, from its public reference. */
#ifndef PICO_OTA_H
#define PICO_OTA_H

class PicoOTA {
 public:
  void begin();
  bool addFile(const char *path);
  bool commit();
};

extern PicoOTA picoOTA;

#endif
