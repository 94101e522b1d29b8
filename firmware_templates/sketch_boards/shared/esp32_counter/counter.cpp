/* Encoders by the pulse counters of an ESP32, which need no interrupts (ESP-IDF Programming Guide, "Pulse
 * Counter"; ESP32 Technical Reference Manual, chapter 17). The C3 has none. */
#include "core.h"

extern "C" {
#include "board.h"
#include "config.h"
}

#if !defined(ARDUINO_ARCH_ESP32)
#include "pulse_cnt.h"
#else
#if __has_include(<esp_idf_version.h>)
#include <esp_idf_version.h>
#endif
#if ESP_IDF_VERSION_MAJOR >= 5
#include <driver/pulse_cnt.h>
#else
#define OLD_COUNTERS
#include <driver/pcnt.h>
#endif
#endif

#ifdef BOARD_COUNTERS

/* At a limit a counter begins at 0 again, so its values tell the sum of edges up to multiples of the limit.
 */
#define LIMIT 32000
#define SHORTEST_NS 1000 /* shorter pulses are noise */

static struct {
  int last;
  uint16_t total;
} sums[BOARD_COUNTERS];

#ifdef OLD_COUNTERS

#define CYCLES_PER_US 80 /* of the clock that filters: APB */

static void count_edges_of(uint8_t k, uint8_t channel, uint8_t own, uint8_t other, bool rising_is_down) {
  pcnt_config_t config = {};
  config.pulse_gpio_num = own;
  config.ctrl_gpio_num = other;
  config.hctrl_mode = PCNT_MODE_KEEP;
  config.lctrl_mode = PCNT_MODE_REVERSE;
  config.pos_mode = rising_is_down ? PCNT_COUNT_DEC : PCNT_COUNT_INC;
  config.neg_mode = rising_is_down ? PCNT_COUNT_INC : PCNT_COUNT_DEC;
  config.counter_h_lim = LIMIT;
  config.counter_l_lim = -LIMIT;
  config.unit = (pcnt_unit_t)k;
  config.channel = (pcnt_channel_t)channel;
  pcnt_unit_config(&config);
}

static void start(uint8_t k, uint8_t a, uint8_t b) {
  count_edges_of(k, PCNT_CHANNEL_0, a, b, true);
  count_edges_of(k, PCNT_CHANNEL_1, b, a, false);
  pcnt_set_filter_value((pcnt_unit_t)k, SHORTEST_NS * CYCLES_PER_US / 1000);
  pcnt_filter_enable((pcnt_unit_t)k);
  pcnt_counter_pause((pcnt_unit_t)k);
  pcnt_counter_clear((pcnt_unit_t)k);
  pcnt_counter_resume((pcnt_unit_t)k);
}

static int value_of(uint8_t k) {
  int16_t value = 0;
  pcnt_get_counter_value((pcnt_unit_t)k, &value);
  return value;
}

#else

static pcnt_unit_handle_t units[BOARD_COUNTERS];

static void count_edges_of(uint8_t k, uint8_t own, uint8_t other, bool rising_is_down) {
  pcnt_chan_config_t config = {};
  pcnt_channel_handle_t channel = nullptr;
  config.edge_gpio_num = own;
  config.level_gpio_num = other;
  if (pcnt_new_channel(units[k], &config, &channel) != ESP_OK) return;
  const auto down = PCNT_CHANNEL_EDGE_ACTION_DECREASE, up = PCNT_CHANNEL_EDGE_ACTION_INCREASE;
  pcnt_channel_set_edge_action(channel, rising_is_down ? down : up, rising_is_down ? up : down);
  pcnt_channel_set_level_action(channel, PCNT_CHANNEL_LEVEL_ACTION_KEEP, PCNT_CHANNEL_LEVEL_ACTION_INVERSE);
}

static void start(uint8_t k, uint8_t a, uint8_t b) {
  pcnt_unit_config_t config = {};
  config.low_limit = -LIMIT;
  config.high_limit = LIMIT;
  if (pcnt_new_unit(&config, &units[k]) != ESP_OK) return;
  const pcnt_glitch_filter_config_t filter = {SHORTEST_NS};
  pcnt_unit_set_glitch_filter(units[k], &filter);
  count_edges_of(k, a, b, true);
  count_edges_of(k, b, a, false);
  pcnt_unit_enable(units[k]);
  pcnt_unit_clear_count(units[k]);
  pcnt_unit_start(units[k]);
}

static int value_of(uint8_t k) {
  int value = 0;
  if (units[k] != nullptr) pcnt_unit_get_count(units[k], &value);
  return value;
}

#endif

/* Counters are numbered from 1. */
extern "C" void board_encoder_start(uint8_t timer, uint8_t first, uint8_t second) {
  board_input(first, true);
  board_input(second, true);
  start((uint8_t)(timer - 1), first, second);
}

extern "C" uint16_t board_encoder_count(uint8_t timer) {
  auto &sum = sums[timer - 1];
  const int now = value_of((uint8_t)(timer - 1));
  int moved = now - sum.last;
  if (moved > LIMIT / 2) moved -= LIMIT;
  if (moved < -LIMIT / 2) moved += LIMIT;
  sum.last = now;
  sum.total = (uint16_t)(sum.total + moved);
  return sum.total;
}

#endif
