/* Declarations of the Arduino library ArduinoOTA, from the public references of ESP32 and Pico W. */
#ifndef ARDUINO_OTA_H
#define ARDUINO_OTA_H

#include <functional>

enum ota_error_t { OTA_AUTH_ERROR, OTA_BEGIN_ERROR, OTA_CONNECT_ERROR, OTA_RECEIVE_ERROR, OTA_END_ERROR };

class ArduinoOTAClass {
 public:
  void setHostname(const char *name);
  void setPassword(const char *password);
  void onStart(std::function<void(void)> call);
  void onError(std::function<void(ota_error_t)> call);
  void onProgress(std::function<void(unsigned int, unsigned int)> call);
  void begin();
  void handle();
};

extern ArduinoOTAClass ArduinoOTA;

#endif
