/* Declarations of the Arduino library Servo, from its public reference. */
#ifndef SERVO_H
#define SERVO_H

#include <stdint.h>

class Servo {
 public:
  uint8_t attach(int pin, int min, int max);
  void detach();
  void writeMicroseconds(int value);
  bool attached();
};

#endif
