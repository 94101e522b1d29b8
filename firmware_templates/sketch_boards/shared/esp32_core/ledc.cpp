/* PWM and servo pulses of an ESP32 by its LED controller, with the functions of Espressif's core: since 3.0
 * by pin, before by channel. analogWrite() would attach the pin at each call, and the library ESP32Servo
 * would take timers that analogWrite() uses, too. */
#include "core.h"

extern "C" {
#include "board.h"
#include "config.h"
}

#define PWM_BITS 8
#define SERVO_HZ 50
#define SERVO_BITS 16
#define SERVO_US 20000ul

enum use : uint8_t { NONE, PWM, SERVO };

static enum use uses[BOARD_PINS];
static uint32_t pwm_hertz = 1000;

/* One for all pins: the cores give timers to pins by their frequencies, and there are few. */
extern "C" void board_pwm_frequency(uint8_t, uint32_t hertz) { pwm_hertz = hertz; }

#if !defined(ESP_ARDUINO_VERSION_MAJOR) || ESP_ARDUINO_VERSION_MAJOR >= 3

static void attach(uint8_t pin, enum use use) {
  if (use == PWM)
    ledcAttach(pin, pwm_hertz, PWM_BITS);
  else
    ledcAttach(pin, SERVO_HZ, SERVO_BITS);
}

static void detach(uint8_t pin) { ledcDetach(pin); }

static void write(uint8_t pin, uint32_t duty) { ledcWrite(pin, duty); }

#else

/* Two neighboring channels share a timer, number (channel / 2) % 4: PWM has the first ones, servos the
 * others.
 */
#define TIMER_OF(channel) ((channel) / 2 % 4)

static uint8_t owners[BOARD_LEDC]; /* pin + 1 of each channel; 0: free */

static uint8_t channel_of(uint8_t pin) {
  uint8_t channel = 0;
  while (channel < BOARD_LEDC - 1 && owners[channel] != pin + 1) channel++;
  return channel;
}

static void attach(uint8_t pin, enum use use) {
  for (uint8_t channel = 0; channel < BOARD_LEDC; channel++)
    if (owners[channel] == 0 && (TIMER_OF(channel) < BOARD_LEDC_PWM_TIMERS) == (use == PWM)) {
      owners[channel] = (uint8_t)(pin + 1);
      ledcSetup(channel, use == PWM ? pwm_hertz : SERVO_HZ, use == PWM ? PWM_BITS : SERVO_BITS);
      ledcAttachPin(pin, channel);
      return;
    }
}

static void detach(uint8_t pin) {
  owners[channel_of(pin)] = 0;
  ledcDetachPin(pin);
}

static void write(uint8_t pin, uint32_t duty) { ledcWrite(channel_of(pin), duty); }

#endif

void ledc_release(uint8_t pin) {
  if (uses[pin] == NONE) return;
  detach(pin);
  uses[pin] = NONE;
}

static void drive(uint8_t pin, enum use use, uint32_t duty) {
  if (uses[pin] != use) {
    ledc_release(pin);
    attach(pin, use);
    uses[pin] = use;
  }
  write(pin, duty);
}

/* A duty of 2^PWM_BITS is a constant level. */
extern "C" void board_pwm(uint8_t pin, uint8_t duty) {
  drive(pin, PWM, duty == BOARD_DUTY_FULL ? 1ul << PWM_BITS : duty);
}

extern "C" void board_servo(uint8_t pin, uint16_t pulse) {
  if (pulse == 0)
    board_output(pin, false);
  else
    drive(pin, SERVO, (((uint32_t)pulse << SERVO_BITS) + SERVO_US / 2) / SERVO_US);
}
