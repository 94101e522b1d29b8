/* Updates of a sketch with an ESP32's boot loader: two images, of which a reset without acceptance brings the
 * former one back (ESP-IDF Programming Guide, "App rollback"). Lines on standard input: MS 0|1 is the time
 * and whether the board is in the network; `reset` is a crash. Prints calls, and the image that runs. */
#include <Arduino.h>
#include <ArduinoOTA.h>
#include <esp_ota_ops.h>
#include <stdio.h>
#include <string.h>

#include "network.h"
#include "resets.h"
#include "update.h"

extern "C" {
#include "robot.h"
#include "trial.h"
bool verifyRollbackLater();
}

ArduinoOTAClass ArduinoOTA;
static unsigned long now;
static esp_ota_img_states_t state = ESP_OTA_IMG_PENDING_VERIFY;

unsigned long millis() { return now; }
void robot_stop(void) { printf("robot_stop\n"); }
void watchdog_feed() {}
void watchdog_wait(bool) {}
void network_print(const char *what, const char *which) { printf("%s%s\n", what, which); }

static void boot_former() {
  printf("the former image runs\n");
  exit(0);
}

const esp_partition_t *esp_ota_get_running_partition(void) { return nullptr; }
esp_err_t esp_ota_get_state_partition(const esp_partition_t *, esp_ota_img_states_t *found) {
  *found = state;
  return ESP_OK;
}
esp_err_t esp_ota_mark_app_valid_cancel_rollback(void) {
  state = ESP_OTA_IMG_VALID;
  return ESP_OK;
}
esp_err_t esp_ota_mark_app_invalid_rollback_and_reboot(void) {
  boot_former();
  return ESP_OK;
}

void ArduinoOTAClass::setHostname(const char *name) { printf("name %s\n", name); }
void ArduinoOTAClass::setPassword(const char *) { printf("password\n"); }
void ArduinoOTAClass::onStart(std::function<void(void)> call) { call(); }
void ArduinoOTAClass::onError(std::function<void(ota_error_t)>) {}
void ArduinoOTAClass::onProgress(std::function<void(unsigned int, unsigned int)>) {}
void ArduinoOTAClass::begin() { printf("begin\n"); }
void ArduinoOTAClass::handle() {}

int main(int argc, char **) {
  if (argc > 1) state = ESP_OTA_IMG_VALID; /* flashed over USB */
  if (!verifyRollbackLater()) state = ESP_OTA_IMG_VALID;
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    int is_up = 0;
    if (strncmp(line, "reset", 5) == 0) {
      if (state == ESP_OTA_IMG_PENDING_VERIFY) boot_former();
    } else if (sscanf(line, "%lu %d", &now, &is_up) == 2) {
      update_poll(is_up);
    }
  }
  printf("the new image runs\n");
  return 0;
}
