/* The watchdog, and the cause of the last reset, by the functions of each Arduino core. */
#include "resets.h"

#include "core.h"

extern "C" {
#include "board.h"
}

#define WATCHDOG_MS 500
#define WAITING_MS 8000 /* the watchdog of an RP2040 counts 8.3 s */

#if defined(__AVR__)

#include <avr/wdt.h>

extern "C" {
#include "watchdog.h"
}

void watchdog_begin() { watchdog_start(); }

void watchdog_feed() { wdt_reset(); }

void watchdog_wait(bool) {}

#elif defined(ARDUINO_ARCH_ESP32)

#include <esp_attr.h>
#include <esp_system.h>
#include <esp_task_wdt.h>
#if __has_include(<esp_idf_version.h>)
#include <esp_idf_version.h>
#endif

static RTC_NOINIT_ATTR uint32_t kept;

extern "C" volatile uint32_t *board_kept() { return &kept; }

/* Pressing reset looks like switching on, and a brown-out has a cause of its own. */
extern "C" uint8_t board_reset_cause() {
  switch (esp_reset_reason()) {
    case ESP_RST_BROWNOUT: return CAUSE_BROWN_OUT;
    case ESP_RST_PANIC: return CAUSE_FAULT;
    case ESP_RST_INT_WDT:
    case ESP_RST_TASK_WDT:
    case ESP_RST_WDT: return CAUSE_WATCHDOG;
    default: return CAUSE_NONE;
  }
}

static void set_limit(uint32_t milliseconds) {
#if ESP_IDF_VERSION_MAJOR >= 5
  const esp_task_wdt_config_t config = {milliseconds, 0, true};
  if (esp_task_wdt_reconfigure(&config) != ESP_OK) esp_task_wdt_init(&config);
#else
  esp_task_wdt_init((milliseconds + 999) / 1000, true);
#endif
}

void watchdog_begin() {
  set_limit(WATCHDOG_MS);
  esp_task_wdt_add(nullptr); /* this task */
}

void watchdog_feed() { esp_task_wdt_reset(); }

void watchdog_wait(bool on) { set_limit(on ? WAITING_MS : WATCHDOG_MS); }

#elif defined(ARDUINO_ARCH_ESP8266)

extern "C" {
#include <user_interface.h>
}

/* The core's own watchdog resets the board after 3.2 s; yield() feeds it. The first half of the memory that
 * resets keep belongs to the boot loader. */
#define RTC_MEMORY 0x60001300

extern "C" volatile uint32_t *board_kept() { return (volatile uint32_t *)RTC_MEMORY; }

extern "C" uint8_t board_reset_cause() {
  switch (ESP.getResetInfoPtr()->reason) {
    case REASON_EXCEPTION_RST: return CAUSE_FAULT;
    case REASON_WDT_RST:
    case REASON_SOFT_WDT_RST: return CAUSE_WATCHDOG;
    default: return CAUSE_NONE;
  }
}

void watchdog_begin() {}

void watchdog_feed() {}

void watchdog_wait(bool) {}

#elif defined(ARDUINO_ARCH_RP2040) && !defined(ARDUINO_ARCH_MBED)

static uint32_t __uninitialized_ram(kept);

extern "C" volatile uint32_t *board_kept() { return &kept; }

extern "C" uint8_t board_reset_cause() {
  switch (rp2040.getResetReason()) {
    case RP2040::WDT_RESET: return CAUSE_WATCHDOG;
    case RP2040::BROWNOUT_RESET: return CAUSE_BROWN_OUT;
    case RP2040::PWRON_RESET: return CAUSE_POWER;
    default: return CAUSE_NONE;
  }
}

void watchdog_begin() { rp2040.wdt_begin(WATCHDOG_MS); }

void watchdog_feed() { rp2040.wdt_reset(); }

void watchdog_wait(bool on) { rp2040.wdt_begin(on ? WAITING_MS : WATCHDOG_MS); }

#else

void watchdog_begin() {}

void watchdog_feed() {}

void watchdog_wait(bool) {}

#endif
