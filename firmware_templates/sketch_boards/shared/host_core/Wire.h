/* The I2C bus: the bench's register tables. */
#ifndef WIRE_H
#define WIRE_H

#include <Arduino.h>

class TwoWire {
 public:
  void begin() { begin(SDA, SCL); }
  void begin(int sda, int scl);
  void end() {}
  void setClock(uint32_t) {}
  void beginTransmission(uint8_t address);
  size_t write(const uint8_t *data, size_t size);
  uint8_t endTransmission(bool stop);
  size_t requestFrom(int address, int size);
  int read();

 private:
  uint8_t device = 0;
  bool is_first = true;
  int left = 0;
};

extern TwoWire Wire;

#endif
