/* Ticks for stepper motors: of an ESP32 by a timer, with the functions of Espressif's core, which differ
 * since 3.0; of an RP2040 by Raspberry Pi's repeating timers. */
#include "core.h"

extern "C" {
#include "board.h"
#include "config.h"
#include "robot.h"
}

#ifdef BOARD_TICK_TIMER

#define PERIOD_US (1000000 / BOARD_TICKS)

#ifdef ARDUINO_ARCH_RP2040
#include <pico/time.h>

static bool on_tick(repeating_timer_t *) {
  robot_tick();
  return true;
}

/* A negative time is one between the beginnings of two calls. */
extern "C" void board_ticks_start(void) {
  static repeating_timer_t timer;
  add_repeating_timer_us(-PERIOD_US, on_tick, nullptr, &timer);
}

#else
#ifdef ESP_ARDUINO_VERSION_MAJOR
#define CORE ESP_ARDUINO_VERSION_MAJOR
#else
#define CORE 3
#endif
#ifndef IRAM_ATTR
#define IRAM_ATTR /* on this computer */
#endif
#define COUNTS_PER_S 1000000
#define CLOCK 80000000 /* Hz, of the timers before 3.0 */

static void IRAM_ATTR on_tick() { robot_tick(); }

extern "C" void board_ticks_start(void) {
#if CORE >= 3
  hw_timer_t *timer = timerBegin(COUNTS_PER_S);
  timerAttachInterrupt(timer, on_tick);
  timerAlarm(timer, PERIOD_US, true, 0);
#else
  hw_timer_t *timer = timerBegin(0, CLOCK / COUNTS_PER_S, true);
  timerAttachInterrupt(timer, on_tick, true);
  timerAlarmWrite(timer, PERIOD_US, true);
  timerAlarmEnable(timer);
#endif
}
#endif

#endif
