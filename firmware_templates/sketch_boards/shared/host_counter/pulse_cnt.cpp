/* Pulse counters: a channel counts the edges of a pin, as the level of another one says (ESP32 Technical
 * Reference Manual, 17.2). */
#include "pulse_cnt.h"

#include <Arduino.h>

#include "core.h"

extern "C" {
#include "config.h"
}

#define CHANNELS 2

struct counter_channel {
  int edge, level;
  pcnt_channel_edge_action_t rising, falling;
  pcnt_channel_level_action_t high, low;
};

struct counter {
  int low, high, value;
  bool is_enabled, runs;
  uint8_t channels;
  struct counter_channel channel[CHANNELS];
};

static struct counter counters[BOARD_COUNTERS];
static uint8_t taken;

static void add(struct counter &one, int step) {
  one.value += step;
  if (one.value >= one.high || one.value <= one.low) one.value = 0;
}

static int step_of(const struct counter_channel &one) {
  const auto action = digitalRead((uint8_t)one.edge) ? one.rising : one.falling;
  const auto control = digitalRead((uint8_t)one.level) ? one.high : one.low;
  const int step = action == PCNT_CHANNEL_EDGE_ACTION_INCREASE   ? 1
                   : action == PCNT_CHANNEL_EDGE_ACTION_DECREASE ? -1
                                                                 : 0;
  if (control == PCNT_CHANNEL_LEVEL_ACTION_HOLD) return 0;
  return control == PCNT_CHANNEL_LEVEL_ACTION_INVERSE ? -step : step;
}

static void changed(uint8_t pin) {
  for (uint8_t k = 0; k < taken; k++)
    for (uint8_t c = 0; c < counters[k].channels && counters[k].runs; c++)
      if (counters[k].channel[c].edge == pin) add(counters[k], step_of(counters[k].channel[c]));
}

esp_err_t pcnt_new_unit(const pcnt_unit_config_t *config, pcnt_unit_handle_t *unit) {
  if (taken == BOARD_COUNTERS) return ESP_OK + 1;
  pins_changed = changed;
  *unit = &counters[taken++];
  (*unit)->low = config->low_limit;
  (*unit)->high = config->high_limit;
  return ESP_OK;
}

esp_err_t pcnt_unit_set_glitch_filter(pcnt_unit_handle_t, const pcnt_glitch_filter_config_t *) {
  return ESP_OK;
}

esp_err_t pcnt_new_channel(pcnt_unit_handle_t unit, const pcnt_chan_config_t *config,
                           pcnt_channel_handle_t *channel) {
  if (unit->channels == CHANNELS) return ESP_OK + 1;
  *channel = &unit->channel[unit->channels++];
  (*channel)->edge = config->edge_gpio_num;
  (*channel)->level = config->level_gpio_num;
  return ESP_OK;
}

esp_err_t pcnt_channel_set_edge_action(pcnt_channel_handle_t channel, pcnt_channel_edge_action_t rising,
                                       pcnt_channel_edge_action_t falling) {
  channel->rising = rising;
  channel->falling = falling;
  return ESP_OK;
}

esp_err_t pcnt_channel_set_level_action(pcnt_channel_handle_t channel, pcnt_channel_level_action_t high,
                                        pcnt_channel_level_action_t low) {
  channel->high = high;
  channel->low = low;
  return ESP_OK;
}

esp_err_t pcnt_unit_enable(pcnt_unit_handle_t unit) {
  unit->is_enabled = true;
  return ESP_OK;
}

esp_err_t pcnt_unit_clear_count(pcnt_unit_handle_t unit) {
  unit->value = 0;
  return ESP_OK;
}

esp_err_t pcnt_unit_start(pcnt_unit_handle_t unit) {
  unit->runs = unit->is_enabled;
  return unit->runs ? ESP_OK : ESP_OK + 1;
}

esp_err_t pcnt_unit_get_count(pcnt_unit_handle_t unit, int *value) {
  *value = unit->value;
  return ESP_OK;
}
