/* Declarations of ESP-IDF's API for over-the-air updates, from its programming guide. */
#ifndef ESP_OTA_OPS_H
#define ESP_OTA_OPS_H

#include <esp_system.h>
#include <esp_task_wdt.h>

struct esp_partition_t;
typedef enum {
  ESP_OTA_IMG_NEW = 0,
  ESP_OTA_IMG_PENDING_VERIFY = 1,
  ESP_OTA_IMG_VALID = 2,
  ESP_OTA_IMG_INVALID = 3,
  ESP_OTA_IMG_ABORTED = 4,
  ESP_OTA_IMG_UNDEFINED = -1
} esp_ota_img_states_t;

extern "C" {
const esp_partition_t *esp_ota_get_running_partition(void);
esp_err_t esp_ota_get_state_partition(const esp_partition_t *partition, esp_ota_img_states_t *state);
esp_err_t esp_ota_mark_app_valid_cancel_rollback(void);
esp_err_t esp_ota_mark_app_invalid_rollback_and_reboot(void);
}

#endif
