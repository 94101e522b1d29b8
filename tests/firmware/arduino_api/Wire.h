/* Declarations of the Arduino library Wire, from its public reference. */
#ifndef WIRE_H
#define WIRE_H

#include <Arduino.h>

class TwoWire : public Stream {
 public:
  void begin();
  bool begin(int sda, int scl); /* ESP32 */
#if !defined(ARDUINO_ARCH_ESP8266)
  void end();
#endif
  void setClock(uint32_t frequency);
#if defined(ARDUINO_ARCH_ESP32)
  void setTimeOut(uint16_t milliseconds);
#elif defined(ARDUINO_ARCH_ESP8266)
  void setClockStretchLimit(uint32_t microseconds);
#elif defined(ARDUINO_ARCH_RP2040)
  void setTimeout(uint32_t milliseconds, bool reset);
#endif
  void beginTransmission(uint8_t address);
  uint8_t endTransmission(bool stop);
  size_t requestFrom(uint8_t address, size_t size);
  size_t requestFrom(int address, int size);
  size_t write(const uint8_t *data, size_t size);
  size_t write(uint8_t byte) override;
  int available() override;
  int read() override;
};

extern TwoWire Wire;

#endif
