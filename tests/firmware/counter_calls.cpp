/* A pulse counter with the functions of ESP-IDF 4 and 5 (ESP32 Technical Reference Manual, 17.2): each edge
 * of the channel's pin counts by its mode, which the level of the other pin may reverse; at a limit the
 * counter begins at 0. Lines on standard input: A B, the levels of an encoder. Prints the count after each.
 */
#include <Arduino.h>
#include <stdio.h>
#if ESP_IDF_VERSION_MAJOR >= 5
#include <driver/pulse_cnt.h>
#else
#include <driver/pcnt.h>
#endif

extern "C" {
#include "board.h"
}

#define A 4
#define B 13
#define CHANNELS 2

static struct {
  int edge, level, rising, falling, when_high, when_low; /* steps, and their factors */
} channels[CHANNELS];
static int levels[40], value, low_limit, high_limit, used;
static bool runs, has_filter;

extern "C" void board_input(uint8_t pin, bool pull_up) { levels[pin] = pull_up; }

#if ESP_IDF_VERSION_MAJOR >= 5
#define OK ESP_OK
static int step_of(pcnt_channel_edge_action_t action) {
  return action == PCNT_CHANNEL_EDGE_ACTION_HOLD ? 0 : action == PCNT_CHANNEL_EDGE_ACTION_INCREASE ? 1 : -1;
}
static int factor_of(pcnt_channel_level_action_t action) {
  return action == PCNT_CHANNEL_LEVEL_ACTION_HOLD ? 0 : action == PCNT_CHANNEL_LEVEL_ACTION_KEEP ? 1 : -1;
}
esp_err_t pcnt_new_unit(const pcnt_unit_config_t *config, pcnt_unit_handle_t *unit) {
  low_limit = config->low_limit, high_limit = config->high_limit;
  *unit = (pcnt_unit_handle_t)&value;
  return OK;
}
esp_err_t pcnt_unit_set_glitch_filter(pcnt_unit_handle_t, const pcnt_glitch_filter_config_t *config) {
  has_filter = config->max_glitch_ns > 80 && config->max_glitch_ns <= 1023 * 25 / 2; /* cycles of 12.5 ns */
  return OK;
}
esp_err_t pcnt_new_channel(pcnt_unit_handle_t, const pcnt_chan_config_t *config,
                           pcnt_channel_handle_t *channel) {
  channels[used].edge = config->edge_gpio_num, channels[used].level = config->level_gpio_num;
  *channel = (pcnt_channel_handle_t)&channels[used++];
  return OK;
}
esp_err_t pcnt_channel_set_edge_action(pcnt_channel_handle_t, pcnt_channel_edge_action_t rising,
                                       pcnt_channel_edge_action_t falling) {
  channels[used - 1].rising = step_of(rising), channels[used - 1].falling = step_of(falling);
  return OK;
}
esp_err_t pcnt_channel_set_level_action(pcnt_channel_handle_t, pcnt_channel_level_action_t high,
                                        pcnt_channel_level_action_t low) {
  channels[used - 1].when_high = factor_of(high), channels[used - 1].when_low = factor_of(low);
  return OK;
}
esp_err_t pcnt_unit_enable(pcnt_unit_handle_t) { return OK; }
esp_err_t pcnt_unit_clear_count(pcnt_unit_handle_t) { return value = 0; }
esp_err_t pcnt_unit_start(pcnt_unit_handle_t) { return runs = true, OK; }
esp_err_t pcnt_unit_get_count(pcnt_unit_handle_t, int *found) { return *found = value, OK; }
#else
static int step_of(pcnt_count_mode_t mode) {
  return mode == PCNT_COUNT_DIS ? 0 : mode == PCNT_COUNT_INC ? 1 : -1;
}
static int factor_of(pcnt_ctrl_mode_t mode) {
  return mode == PCNT_MODE_DISABLE ? 0 : mode == PCNT_MODE_KEEP ? 1 : -1;
}
esp_err_t pcnt_unit_config(const pcnt_config_t *config) {
  channels[config->channel] = {config->pulse_gpio_num,        config->ctrl_gpio_num,
                               step_of(config->pos_mode),     step_of(config->neg_mode),
                               factor_of(config->hctrl_mode), factor_of(config->lctrl_mode)};
  low_limit = config->counter_l_lim, high_limit = config->counter_h_lim;
  return used++ * 0;
}
esp_err_t pcnt_set_filter_value(pcnt_unit_t, uint16_t cycles) { return cycles > 6 && cycles < 1024 ? 0 : 1; }
esp_err_t pcnt_filter_enable(pcnt_unit_t) { return has_filter = true, 0; }
esp_err_t pcnt_counter_pause(pcnt_unit_t) { return runs = false; }
esp_err_t pcnt_counter_clear(pcnt_unit_t) { return value = 0; }
esp_err_t pcnt_counter_resume(pcnt_unit_t) { return runs = true, 0; }
esp_err_t pcnt_get_counter_value(pcnt_unit_t, int16_t *found) { return *found = (int16_t)value, 0; }
#endif

static void set(int pin, int level) {
  if (levels[pin] == level) return;
  levels[pin] = level;
  for (int k = 0; k < used && runs; k++)
    if (channels[k].edge == pin) {
      value += (level ? channels[k].rising : channels[k].falling) *
               (levels[channels[k].level] ? channels[k].when_high : channels[k].when_low);
      if (value >= high_limit || value <= low_limit) value = 0;
    }
}

int main() {
  board_encoder_start(1, A, B);
  const uint16_t begin = board_encoder_count(1);
  int a, b;
  while (scanf("%d %d", &a, &b) == 2) {
    set(A, a);
    set(B, b);
    printf("%d\n", (int16_t)(uint16_t)(board_encoder_count(1) - begin));
  }
  return used == CHANNELS && has_filter ? 0 : 1;
}
