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

/* Goes through RAM: flash cannot be read while it is written. */
static void keep() {
  static uint8_t block[256];
  File file = LittleFS.open(FORMER, "w");
  for (const uint8_t *at = (const uint8_t *)FLASH_BEGIN; at < &__flash_binary_end; at += sizeof block) {
    memcpy(block, at, sizeof block);
    file.write(block, sizeof block);
    watchdog_feed();
  }
  file.close();
  file = LittleFS.open(TRIAL_FILE, "w");
  file.write((uint8_t)0);
  file.close();
}

static void accept() { LittleFS.remove(TRIAL_FILE); }

static void roll_back() {
  LittleFS.remove(TRIAL_FILE);
  picoOTA.begin();
  picoOTA.addFile(FORMER);
  picoOTA.commit();
  LittleFS.end();
  rp2040.reboot();
}

#endif

static void begin_update() {
  robot_stop();
  keep();
  network_print("update: ", "begins; the motors are off");
}

static void start_service() {
  ArduinoOTA.setHostname(ROBOT_NAME);
  ArduinoOTA.setPassword(UPDATE_PASSWORD);
  ArduinoOTA.onStart(begin_update);
  ArduinoOTA.onProgress([](unsigned int, unsigned int) { watchdog_feed(); });
  ArduinoOTA.begin();
  network_print("name: ", ROBOT_NAME ".local");
}

static void judge(bool is_up) {
  switch (trial_go_on(is_up, millis())) {
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
}

void update_poll(bool is_up) {
  static bool has_begun, offers;
  if (!has_begun) trial_begin(starts(), millis());
  has_begun = true;
  if (is_up && !offers && sizeof UPDATE_PASSWORD > 1) start_service();
  offers = offers || (is_up && sizeof UPDATE_PASSWORD > 1);
  if (is_up && offers) ArduinoOTA.handle();
  judge(is_up);
}

#else

void update_poll(bool) {}

#endif
