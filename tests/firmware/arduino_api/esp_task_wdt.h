/* Declarations of ESP-IDF, from its public reference: versions 4 and 5. */
#ifndef ESP_TASK_WDT_H
#define ESP_TASK_WDT_H

#include <stdint.h>

typedef int esp_err_t;
#define ESP_OK 0

#if ESP_IDF_VERSION_MAJOR >= 5
typedef struct {
  uint32_t timeout_ms;
  uint32_t idle_core_mask;
  bool trigger_panic;
} esp_task_wdt_config_t;

extern "C" esp_err_t esp_task_wdt_init(const esp_task_wdt_config_t *config);
extern "C" esp_err_t esp_task_wdt_reconfigure(const esp_task_wdt_config_t *config);
#else
extern "C" esp_err_t esp_task_wdt_init(uint32_t timeout, bool panic);
#endif
extern "C" esp_err_t esp_task_wdt_add(void *task);
extern "C" esp_err_t esp_task_wdt_reset(void);

#endif
