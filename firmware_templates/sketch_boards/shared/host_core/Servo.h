/* The Arduino library Servo on this computer: pulses are those of the bench. */
#ifndef SERVO_H
#define SERVO_H

class Servo {
 public:
  void attach(int pin, int, int) { number = pin; }
  void detach();
  void writeMicroseconds(int pulse);
  bool attached() const { return number >= 0; }

 private:
  int number = -1;
};

#endif
