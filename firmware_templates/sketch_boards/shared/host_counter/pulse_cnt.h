/* The pulse counters of an ESP32 on this computer, with the functions of ESP-IDF that the sketch uses. */
#ifndef PULSE_CNT_H
#define PULSE_CNT_H

#include <stdint.h>

#define ESP_OK 0

typedef int esp_err_t;
typedef struct counter *pcnt_unit_handle_t;
typedef struct counter_channel *pcnt_channel_handle_t;

enum pcnt_channel_edge_action_t {
  PCNT_CHANNEL_EDGE_ACTION_HOLD,
  PCNT_CHANNEL_EDGE_ACTION_INCREASE,
  PCNT_CHANNEL_EDGE_ACTION_DECREASE
};

enum pcnt_channel_level_action_t {
  PCNT_CHANNEL_LEVEL_ACTION_KEEP,
  PCNT_CHANNEL_LEVEL_ACTION_INVERSE,
  PCNT_CHANNEL_LEVEL_ACTION_HOLD
};

struct pcnt_unit_config_t {
  int low_limit, high_limit;
};

struct pcnt_chan_config_t {
  int edge_gpio_num, level_gpio_num;
};

struct pcnt_glitch_filter_config_t {
  uint32_t max_glitch_ns;
};

esp_err_t pcnt_new_unit(const pcnt_unit_config_t *config, pcnt_unit_handle_t *unit);
esp_err_t pcnt_unit_set_glitch_filter(pcnt_unit_handle_t unit, const pcnt_glitch_filter_config_t *config);
esp_err_t pcnt_new_channel(pcnt_unit_handle_t unit, const pcnt_chan_config_t *config,
                           pcnt_channel_handle_t *channel);
esp_err_t pcnt_channel_set_edge_action(pcnt_channel_handle_t channel, pcnt_channel_edge_action_t rising,
                                       pcnt_channel_edge_action_t falling);
esp_err_t pcnt_channel_set_level_action(pcnt_channel_handle_t channel, pcnt_channel_level_action_t high,
                                        pcnt_channel_level_action_t low);
esp_err_t pcnt_unit_enable(pcnt_unit_handle_t unit);
esp_err_t pcnt_unit_clear_count(pcnt_unit_handle_t unit);
esp_err_t pcnt_unit_start(pcnt_unit_handle_t unit);
esp_err_t pcnt_unit_get_count(pcnt_unit_handle_t unit, int *value);

#endif
