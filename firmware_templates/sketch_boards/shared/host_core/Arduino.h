/* The Arduino API on this computer, as far as generated sketches use it. Pins, time and the serial line
 * belong to the test bench. */
#ifndef ARDUINO_H
#define ARDUINO_H

#include <stddef.h>
#include <stdint.h>

#include <string>

#define LOW 0
#define HIGH 1
#define INPUT 0
#define OUTPUT 1
#define INPUT_PULLUP 2
#define CHANGE 1

extern const uint8_t SDA, SCL; /* of the bus */

void pinMode(uint8_t pin, uint8_t mode);
void digitalWrite(uint8_t pin, uint8_t level);
int digitalRead(uint8_t pin);
int analogRead(uint8_t pin);
void analogWrite(uint8_t pin, int duty);
bool ledcAttach(uint8_t pin, uint32_t hertz, uint8_t bits); /* ESP32 */
bool ledcDetach(uint8_t pin);
bool ledcWrite(uint8_t pin, uint32_t duty);
struct hw_timer_t;
hw_timer_t *timerBegin(uint32_t hertz);
void timerAttachInterrupt(hw_timer_t *timer, void (*handler)());
void timerAlarm(hw_timer_t *timer, uint64_t counts, bool reloads, uint64_t count);
unsigned long millis();
unsigned long micros();
void delayMicroseconds(unsigned int microseconds);
void yield();
void noInterrupts();
void interrupts();
int digitalPinToInterrupt(uint8_t pin);
void attachInterrupt(uint8_t interrupt, void (*handler)(), int mode);

class String : public std::string {
 public:
  using std::string::string;
};

/* The serial line: the wire of the bench, or if the link has another one, the standard error output. */
class HardwareSerial {
 public:
  void begin(unsigned long baud);
  int available();
  int read();
  size_t write(uint8_t byte);
  size_t print(const char *text);
  size_t println(const char *text);
};

extern HardwareSerial Serial;

#endif
