/* Declarations of the Arduino API for a 32-bit core, from its public reference. */
#ifndef ARDUINO_H
#define ARDUINO_H

#include <stddef.h>
#include <stdint.h>

typedef uint8_t byte;
typedef bool boolean;
typedef uint8_t pin_size_t;
enum PinStatus { LOW = 0, HIGH = 1, CHANGE = 2, FALLING = 3, RISING = 4 };
enum PinMode { INPUT = 0, OUTPUT = 1, INPUT_PULLUP = 2 };
typedef void (*voidFuncPtr)(void);

static const uint8_t A0 = 26, A1 = 27, A2 = 28, A3 = 29, A4 = 30, A5 = 31;
#define PIN_A0 26
static const uint8_t SDA = 20, SCL = 21;

void pinMode(pin_size_t pin, PinMode mode);
void digitalWrite(pin_size_t pin, PinStatus value);
PinStatus digitalRead(pin_size_t pin);
int analogRead(pin_size_t pin);
uint32_t analogReadMilliVolts(uint8_t pin); /* ESP32 */
void analogReadResolution(int bits);
void analogWrite(pin_size_t pin, int value);
void analogWriteRange(uint32_t range);
void analogWriteFreq(uint32_t freq); /* ESP8266, and the core of Earle Philhower */
/* ESP32: Espressif's core since 3.0 by pin, before by channel. */
#if !defined(ESP_ARDUINO_VERSION_MAJOR) || ESP_ARDUINO_VERSION_MAJOR >= 3
bool ledcAttach(uint8_t pin, uint32_t freq, uint8_t resolution);
bool ledcDetach(uint8_t pin);
bool ledcWrite(uint8_t pin, uint32_t duty);
#else
uint32_t ledcSetup(uint8_t channel, uint32_t freq, uint8_t resolution_bits);
void ledcAttachPin(uint8_t pin, uint8_t channel);
void ledcDetachPin(uint8_t pin);
void ledcWrite(uint8_t channel, uint32_t duty);
#endif
struct hw_timer_t;
#if !defined(ESP_ARDUINO_VERSION_MAJOR) || ESP_ARDUINO_VERSION_MAJOR >= 3
hw_timer_t *timerBegin(uint32_t frequency);
void timerAttachInterrupt(hw_timer_t *timer, void (*userFunc)(void));
void timerAlarm(hw_timer_t *timer, uint64_t alarm_value, bool autoreload, uint64_t reload_count);
#else
hw_timer_t *timerBegin(uint8_t num, uint16_t divider, bool countUp);
void timerAttachInterrupt(hw_timer_t *timer, void (*fn)(void), bool edge);
void timerAlarmWrite(hw_timer_t *timer, uint64_t alarm_value, bool autoreload);
void timerAlarmEnable(hw_timer_t *timer);
#endif
unsigned long millis(void);
unsigned long micros(void);
void delayMicroseconds(unsigned int us);
void yield(void);
void noInterrupts(void);
void interrupts(void);
int digitalPinToInterrupt(pin_size_t pin);
void attachInterrupt(pin_size_t interrupt, voidFuncPtr callback, PinStatus mode);

class Stream {
 public:
  virtual int available() = 0;
  virtual int read() = 0;
  virtual size_t write(uint8_t byte) = 0;
  size_t print(const char *text);
  size_t println(const char *text);
};

class String {
 public:
  const char *c_str() const;
};

class HardwareSerial : public Stream {
 public:
  void begin(unsigned long baud);
#if defined(ARDUINO_USB_CDC_ON_BOOT) && ARDUINO_USB_CDC_ON_BOOT
  void setTxTimeoutMs(uint32_t timeout); /* of the class HWCDC, which Serial is then */
#endif
  int available() override;
  int read() override;
  size_t write(uint8_t byte) override;
};

extern HardwareSerial Serial;

/* ESP8266 */
struct rst_info;
class EspClass {
 public:
  rst_info *getResetInfoPtr();
};
extern EspClass ESP;

/* Earle Philhower's core for the RP2040 */
#define __uninitialized_ram(name) name
class RP2040 {
 public:
  enum resetReason_t {
    UNKNOWN_RESET,
    PWRON_RESET,
    RUN_PIN_RESET,
    SOFT_RESET,
    WDT_RESET,
    DEBUG_RESET,
    GLITCH_RESET,
    BROWNOUT_RESET
  };
  resetReason_t getResetReason();
  void wdt_begin(uint32_t milliseconds);
  void wdt_reset();
  void reboot();
};
extern RP2040 rp2040;

#endif
