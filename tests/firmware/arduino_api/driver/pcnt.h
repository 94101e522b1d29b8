/* Declarations of ESP-IDF 4's driver/pcnt.h, from its public reference. */
#ifndef DRIVER_PCNT_H
#define DRIVER_PCNT_H

#include <stdint.h>

typedef int esp_err_t;
typedef enum { PCNT_UNIT_0 } pcnt_unit_t;
typedef enum { PCNT_CHANNEL_0, PCNT_CHANNEL_1 } pcnt_channel_t;
typedef enum { PCNT_COUNT_DIS, PCNT_COUNT_INC, PCNT_COUNT_DEC } pcnt_count_mode_t;
typedef enum { PCNT_MODE_KEEP, PCNT_MODE_REVERSE, PCNT_MODE_DISABLE } pcnt_ctrl_mode_t;

typedef struct {
  int pulse_gpio_num, ctrl_gpio_num;
  pcnt_ctrl_mode_t lctrl_mode, hctrl_mode;
  pcnt_count_mode_t pos_mode, neg_mode;
  int16_t counter_h_lim, counter_l_lim;
  pcnt_unit_t unit;
  pcnt_channel_t channel;
} pcnt_config_t;

extern "C" {
esp_err_t pcnt_unit_config(const pcnt_config_t *config);
esp_err_t pcnt_set_filter_value(pcnt_unit_t unit, uint16_t filter);
esp_err_t pcnt_filter_enable(pcnt_unit_t unit);
esp_err_t pcnt_counter_pause(pcnt_unit_t unit);
esp_err_t pcnt_counter_clear(pcnt_unit_t unit);
esp_err_t pcnt_counter_resume(pcnt_unit_t unit);
esp_err_t pcnt_get_counter_value(pcnt_unit_t unit, int16_t *value);
}

#endif
