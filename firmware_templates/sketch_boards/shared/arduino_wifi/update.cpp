/* Firmware over the air by the library ArduinoOTA of the cores for ESP32 and RP2040, which also answers to
 * the board's name in the network (mDNS). New firmware is on trial (trial.h). */
#include "update.h"

#include "network.h"
#include "secrets.h"

extern "C" {
#include "robot.h"
#include "trial.h"
}

#if defined(UPDATE_PASSWORD) && (defined(ARDUINO_ARCH_ESP32) || defined(ARDUINO_ARCH_RP2040))

#include <Arduino.h>
#include <ArduinoOTA.h>

#ifndef ROBOT_NAME
#define ROBOT_NAME "robot"
#endif

#include "resets.h"

#if defined(ARDUINO_ARCH_ESP32)

#include <esp_ota_ops.h>

/* The core would else accept new firmware before it has run. The boot loader takes the former one again after
 * a reset without acceptance, so starts are not counted. */
extern "C" bool verifyRollbackLater() { return true; }

static uint32_t starts() {
  esp_ota_img_states_t image;
  const bool is_known = esp_ota_get_state_partition(esp_ota_get_running_partition(), &image) == ESP_OK;
  return is_known && image == ESP_OTA_IMG_PENDING_VERIFY ? 1 : 0;
}

static void keep() {}
static void give_up() {}
static void accept() { esp_ota_mark_app_valid_cancel_rollback(); }
static void roll_back() { esp_ota_mark_app_invalid_rollback_and_reboot(); }

#else

#include <LittleFS.h>
#include <PicoOTA.h>
#include <string.h>

/* The chip has one program. Before an update, this one is copied to a file, from which it can come back. */
#define FORMER "/former.bin"
#define TRIAL_FILE "/trial"
#define FLASH_BEGIN 0x10000000u

extern "C" const uint8_t __flash_binary_end;

static uint32_t starts() {
  LittleFS.begin();
  File file = LittleFS.open(TRIAL_FILE, "r");
  if (!file) return 0;
  const uint32_t count = (uint32_t)file.read() + 1;
  file.close();
  file = LittleFS.open(TRIAL_FILE, "w");
  file.write((uint8_t)count);
  file.close();
  return count;
}

/* Copies the program to the file; false: there is no room. It goes through RAM: flash cannot be read while it
 * is written. */
static bool copy_program() {
  static uint8_t block[256];
  File file = LittleFS.open(FORMER, "w");
  bool is_whole = file;
  for (const uint8_t *at = (const uint8_t *)FLASH_BEGIN; is_whole && at < &__flash_binary_end;
       at += sizeof block) {
    memcpy(block, at, sizeof block);
    is_whole = file.write(block, sizeof block) == sizeof block;
    watchdog_feed();
  }
  file.close();
  return is_whole;
}

static void keep() {
  if (!copy_program()) {
    LittleFS.remove(FORMER);
    network_print("update: ", "no room for the former firmware, which cannot come back");
    return;
  }
  File file = LittleFS.open(TRIAL_FILE, "w");
  file.write((uint8_t)0);
  file.close();
}

/* The update has ended before the new program was there. */
static void give_up() { LittleFS.remove(TRIAL_FILE); }

static void accept() { LittleFS.remove(TRIAL_FILE); }

/* The trial ends last: without power in between, it goes on at the next start. */
static void roll_back() {
  picoOTA.begin();
  const bool is_possible = picoOTA.addFile(FORMER) && picoOTA.commit();
  LittleFS.remove(TRIAL_FILE);
  if (!is_possible) return;
  LittleFS.end();
  rp2040.reboot();
}

#endif

static void begin_update() {
  robot_stop();
  watchdog_wait(true); /* flash is erased */
  keep();
  network_print("update: ", "begins; the motors are off");
}

static void start_service() {
  ArduinoOTA.setHostname(ROBOT_NAME);
  ArduinoOTA.setPassword(UPDATE_PASSWORD);
  ArduinoOTA.onStart(begin_update);
  ArduinoOTA.onError([](ota_error_t) {
    give_up();
    watchdog_wait(false);
  });
  ArduinoOTA.onProgress([](unsigned int, unsigned int) { watchdog_feed(); });
  ArduinoOTA.begin();
  network_print("name: ", ROBOT_NAME ".local");
}

/* Returns true while firmware is on trial. */
static bool judge(bool is_up) {
  const enum trial result = trial_go_on(is_up, millis());
  switch (result) {
    case TRIAL_PASSED:
      accept();
      network_print("update: ", "accepted");
      break;
    case TRIAL_FAILED:
      network_print("update: ", "the board was not in the network; the former firmware comes back");
      robot_stop();
      roll_back();
      break;
    default: break;
  }
  return result == TRIAL_ON;
}

void update_poll(bool is_up) {
  static bool has_begun, offers;
  if (!has_begun) trial_begin(starts(), millis());
  has_begun = true;
  const bool is_on_trial = judge(is_up);
  /* The former firmware has a place for one program: that on trial is not replaced. */
  if (is_up && !offers && !is_on_trial && sizeof UPDATE_PASSWORD > 1) {
    offers = true;
    start_service();
  }
  if (is_up && offers) ArduinoOTA.handle();
}

#else

void update_poll(bool) {}

#endif
